"""The questionnaire: read it, publish it, analyse what came back."""
