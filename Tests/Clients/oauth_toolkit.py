"""django-oauth-toolkit on loopback, with its own Python: oauth_toolkit.py PORT.

Everything is below /o/. The one user is signed in with every request, and lets every client in;
the client `code` has the secret `s3cret`, must use PKCE, and gets tokens that live five seconds.
"""

import os
import sys
import tempfile

import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings
from django.core.management import call_command
from django.urls import include, path

FOLDER = tempfile.mkdtemp(prefix="oauth-toolkit-")
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM,
    serialization.PrivateFormat.TraditionalOpenSSL,
    serialization.NoEncryption(),
)


def signed_in(answer):
    """A middleware: whoever asks is ann."""

    def middle(request):
        from django.contrib.auth.models import User

        request.user = User.objects.get(username="ann")
        return answer(request)

    return middle


settings.configure(
    SECRET_KEY="test",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.path.join(FOLDER, "db"),
        }
    },
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        f"{__name__}.signed_in",
    ],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": KEY.decode(),
        "SCOPES": {"openid": "who you are", "read": "reading"},
        "ACCESS_TOKEN_EXPIRE_SECONDS": 5,
        "PKCE_REQUIRED": True,
    },
)
django.setup()
urlpatterns = [path("o/", include("oauth2_provider.urls", namespace="oauth2_provider"))]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    from django.contrib.auth.models import User
    from oauth2_provider.models import Application

    ann = User.objects.create_user("ann", password="pw")
    Application.objects.create(
        user=ann,
        client_id="code",
        client_secret="s3cret",
        client_type="confidential",
        authorization_grant_type="authorization-code",
        redirect_uris="http://127.0.0.1/callback",
        skip_authorization=True,
        algorithm="RS256",
    )
    call_command("runserver", f"127.0.0.1:{sys.argv[1]}", "--noreload")
