"""A second reading of the rules, in plain Python, that the package is compared with.

It imports nothing of the package and shares no line with it: boards are dicts, hands are small objects, every clause is written out as the
rules state it. Slow on purpose. ``sowing`` knows boards, hands, walks and races; ``live`` races in time; ``matches`` whole matches;
``ca_ngua`` the horse game; ``random_positions`` makes positions and options to compare on.
"""
