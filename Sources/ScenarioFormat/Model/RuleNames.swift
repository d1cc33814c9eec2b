/// What the rules are called, so that a file that turns one off is checked without knowing how it judges.
package enum RuleNames {
    /// Every rule's number and name, in their order.
    package static let all: [(number: String, name: String)] = [
        ("B1", "no-refresh-after-401"),
        ("B2", "refresh-storm"),
        ("B3", "refresh-loop"),
        ("B4", "rotated-token-reused"),
        ("B5", "new-token-not-stored"),
        ("B6", "lost-response-signed-out"),
        ("B7", "request-not-replayed"),
        ("B8", "refresh-on-other-error"),
        ("B9", "signed-out-by-passing-failure"),
        ("B10", "calls-after-invalid-refresh"),
        ("B11", "refresh-by-device-clock"),
        ("B12", "lifetime-counted-from-answer"),
        ("B13", "expires-in-against-exp"),
        ("B14", "token-of-another-owner"),
        ("B15", "stale-token-from-queue"),
        ("B16", "refresh-with-expired-bearer"),
        ("B17", "retry-after-ignored"),
        ("B18", "token-sent-elsewhere"),
        ("B19", "upload-restarted"),
        ("B20", "token-of-wrong-kind"),
        ("B21", "account-switched-without-user"),
        ("B22", "different-request-replayed"),
        ("B23", "logout-though-fresh"),
    ]

    /// Everything that a file may call one.
    static let written = all.map(\.number) + all.map(\.name)

    /// The number of the rule that goes by this number or name.
    package static func number(of text: String) -> String? {
        all.first { $0.number.utf8.elementsEqual(text.utf8) || $0.name.utf8.elementsEqual(text.utf8) }?.number
    }
}
