/// Where a contract documents what is judged; its URI is put together only when there is something to say.
struct DocumentedPlace {
    /// The absolute URI of an object of the contract.
    var parent: String
    /// The member of that object, where it is one.
    var key: String?

    var uri: String { key.map { "\(parent)/\($0)" } ?? parent }
}
