package import JSONText

extension Session {
    /// What is stored at the moment, by collection and, where each account has a copy of its own, by account.
    package var items: [(collection: String, account: String?, items: [JSONValue])] { [] }
}
