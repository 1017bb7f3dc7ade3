"""Prints the content of the library, read through the ORM, as JSON."""

import json
import os

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
import django

django.setup()

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from library.models import Author, Book

print(
    json.dumps(
        {
            "authors": [{"name": a.name, "born": a.born and a.born.isoformat()} for a in Author.objects.order_by("id")],
            "books": [
                {
                    "title": b.title,
                    "author": b.author.name,
                    "genre": b.genre,
                    "published": b.published.isoformat(),
                    "pages": b.pages,
                    "in_print": b.in_print,
                    "summary": b.summary,
                }
                for b in Book.objects.order_by("id")
            ],
            "groups": [g.name for g in Group.objects.order_by("id")],
            "changes": LogEntry.objects.count(),
        }
    )
)
