"""How tests read a page: its tags and its words."""

from html.parser import HTMLParser

HOSTILE = "</title><script>alert(1)</script>\"'{{ 7*7 }}& שלום 🙂"


class Reader(HTMLParser):
    """Tags with their attributes, and the text outside style."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.tags[-1:] != [("style", {})]:
            self.words.append(data)

    def all(self, name):
        return [attrs[name] for _, attrs in self.tags if name in attrs]
