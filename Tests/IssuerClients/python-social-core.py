from browser import ALGORITHM, CLIENT, ISSUER, REDIRECT, SCOPE, SECRET, finish, fits_basic, query, require, visit

require("social_core")
from social_core.backends.open_id_connect import OpenIdConnectAuth
from social_core.storage import AssociationMixin, BaseStorage, NonceMixin
from social_core.strategy import BaseStrategy


class Nonce(NonceMixin):
    kept = set()

    @classmethod
    def use(cls, *nonce):
        cls.kept.add(nonce)
        return True

    @classmethod
    def consume(cls, *nonce):
        return nonce in cls.kept


class Association(AssociationMixin):
    id = 1
    kept = []

    @classmethod
    def store(cls, server_url, association):
        known = cls()
        vars(known).update(vars(association))
        cls.kept.append(known)

    @classmethod
    def get(cls, server_url=None, handle=None):
        return [association for association in cls.kept if association.handle == handle]

    @classmethod
    def remove(cls, ids):
        pass


class Storage(BaseStorage):
    nonce, association = Nonce, Association


class Strategy(BaseStrategy):
    settings = {"KEY": CLIENT, "SECRET": SECRET, "OIDC_ENDPOINT": ISSUER, "JWT_ALGORITHMS": [ALGORITHM], "SCOPE": SCOPE,
                "TOKEN_ENDPOINT_AUTH_METHOD": "client_secret_" + ("basic" if fits_basic() else "post")}

    def __init__(self):
        self.session, self.data = {}, {}
        super().__init__(Storage)

    def get_setting(self, name):
        return self.settings[name.removeprefix("SOCIAL_AUTH_OIDC_").removeprefix("SOCIAL_AUTH_")]

    def request_data(self, merge=True):
        return self.data

    def request_is_secure(self):
        return False

    def build_absolute_uri(self, path=None):
        return path

    def session_get(self, name, default=None):
        return self.session.get(name, default)

    def session_set(self, name, value):
        self.session[name] = value

    def session_pop(self, name):
        return self.session.pop(name, None)

    def authenticate(self, backend, *arguments, **values):
        return values["response"]


strategy = Strategy()
backend = OpenIdConnectAuth(strategy, redirect_uri=REDIRECT)
strategy.data = query(visit(backend.auth_url()))
backend.data = strategy.data
finish(backend.user_data(backend.auth_complete()["access_token"]))
