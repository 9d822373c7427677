"""Keeps reports: takes in what is possible under the form, and nothing about who sent it when."""
