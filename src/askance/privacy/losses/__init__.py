"""Losses and advantages of finite channels."""
