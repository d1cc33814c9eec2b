import Testing

/// All tests that play whole backends to clients, one after the other: each of them keeps every core busy by itself, and
/// side by side they would only wait for each other.
@Suite(.serialized) enum Clients {}
