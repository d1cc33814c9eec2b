"""The browser and the settings of the Python clients."""
import importlib.util
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

ISSUER, CLIENT, SECRET, REDIRECT, ALGORITHM = (
    os.environ[name] for name in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET", "REDIRECT_URI", "ALGORITHM"))
SCOPE = ["openid", "profile", "email", "offline_access"]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def require(*modules):
    """Ends the program as skipped if a module is missing."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        print("no module", *missing)
        sys.exit(77)


def visit(address, form=None):
    """Returns the redirect URI that the authorization endpoint sends the browser to; a page is filled in."""
    try:
        urllib.request.build_opener(_NoRedirect).open(address, form)
    except urllib.error.HTTPError as error:
        assert error.code == 302, (error.code, error.read())
        return error.headers["Location"]
    assert form is None, "no redirect"
    return visit(address, b"username=ada&password=secret")


def fits_basic():
    """Whether a library that writes Basic in Latin-1 can send the secret; it sends others in the form."""
    return all(ord(character) < 128 for character in SECRET)


def query(address):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))


def finish(claims):
    """Checks the claims of the user."""
    assert claims["sub"] == "ada", claims
    assert claims.get("email", "ada@example.com") == "ada@example.com", claims
    print("ada")
