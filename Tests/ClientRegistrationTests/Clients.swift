import Testing

/// All tests that play whole backends to clients.
@Suite enum Clients {}
