"""Laws of cuts: of a given coverage, or those that tell most."""
