from django.db import models


class Author(models.Model):
    name = models.CharField(max_length=100)
    born = models.DateField(null=True, blank=True)

    def __str__(self):
        return self.name


class Book(models.Model):
    GENRES = [("novel", "Novel"), ("poetry", "Poetry"), ("essay", "Essay")]

    title = models.CharField(max_length=200)
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    genre = models.CharField(max_length=10, choices=GENRES, default="novel")
    published = models.DateField("date published")
    pages = models.PositiveIntegerField(default=100)
    in_print = models.BooleanField(default=False)
    summary = models.TextField(blank=True)

    def __str__(self):
        return self.title
