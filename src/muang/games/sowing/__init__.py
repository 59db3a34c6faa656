"""The two sowing games: layout, rules, kernel, race and match that Mak Khum and Abalala'e share."""
