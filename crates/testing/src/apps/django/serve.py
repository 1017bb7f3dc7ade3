"""Creates the database with its first rows, serves on a free port and prints it. Ends when its standard input is closed,
so that it cannot outlive the test that started it."""

import os
import sys
import threading

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
import django

django.setup()

from django.contrib.auth.models import User
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.management import call_command
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from library.models import Author, Book

call_command("migrate", run_syncdb=True, verbosity=0)
User.objects.create_superuser(os.environ["LIBRARY_USER"], "librarian@example.org", os.environ["LIBRARY_PASSWORD"])
woolf = Author.objects.create(name="Virginia Woolf", born="1882-01-25")
Author.objects.create(name="Fernando Pessoa", born="1888-06-13")
Book.objects.create(title="The Waves", author=woolf, published="1931-10-08", pages=324, in_print=True)
Book.objects.create(title="Flush", author=woolf, published="1933-10-05", pages=163)

threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server = ThreadedWSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
server.set_app(StaticFilesHandler(get_wsgi_application()))
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
