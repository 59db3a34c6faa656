"""Owns the views of the games that other programs expect: PettingZoo, Gymnasium, OpenSpiel. Thin: no rule and no search of its own.

Nothing heavy is imported here. Each module imports the one package that it speaks for, and says which extra brings it if it is missing.

=================  ======================================================  ==============
module             what it gives                                           extra
=================  ======================================================  ==============
``observation``    arrays that hold a whole position                       none
``episode``        what all environments share: actions, masks, rewards    none
``held``           matches that are copied and pickled                     none
``pettingzoo``     turn-by-turn (AEC) and parallel environments            ``rl``
``gymnasium``      one seat against computer players                       ``rl``
``openspiel``      Python games of OpenSpiel                               ``openspiel``
=================  ======================================================  ==============
"""
