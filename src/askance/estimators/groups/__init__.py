"""Whether several groups of which only ranges were seen have one distribution."""
