"""Owns measuring: conformance, the choices tree, simulation, benchmarks. Plays through the other layers and adds no rule."""
