"""List experiments: what counts of items say of a sensitive one."""
