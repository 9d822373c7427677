"""The only code that ever sees a real answer (standard library only)."""
