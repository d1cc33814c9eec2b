import JSON

/// What the tool answers where a response's changes of items are in the way of themselves.
extension Problem {
    static func tooManyItems(in collection: String) -> Problem {
        Problem(
            "too-many-items",
            status: 507,
            title: "The collection is full",
            detail: "\"\(collection)\" holds \(ItemStore.mostItems) items, which is as many as are kept.",
            members: [("collection", .string(collection))]
        )
    }

    static func unfitItem(of collection: String) -> Problem {
        Problem(
            "unfit-item",
            status: 507,
            title: "The item cannot be stored",
            detail: "What would have become an item of \"\(collection)\" is no object, or nests too deeply, or is too "
                + "large.",
            members: [("collection", .string(collection))]
        )
    }

    static func accountExists(_ name: String) -> Problem {
        Problem(
            "account-exists",
            status: 500,
            title: "The new account has the name of another one",
            detail: "There is an account \"\(name)\". Find it in the route, and answer with a case where it is found.",
            members: [("account", .string(name))]
        )
    }

    static func noCopy(of collection: String, for account: String) -> Problem {
        Problem(
            "unknown-account",
            status: 500,
            title: "The item belongs to nobody",
            detail: "\"\(collection)\" is stored for each account, and there is no account \"\(account)\".",
            members: [("collection", .string(collection)), ("account", .string(account))]
        )
    }

    static func noContent(_ name: String) -> Problem {
        Problem(
            "no-content",
            status: 404,
            title: "There are no bytes to send",
            detail: "What the route has found as \"\(name)\" is no uploaded file, or its bytes had to make room for "
                + "newer ones."
        )
    }
}
