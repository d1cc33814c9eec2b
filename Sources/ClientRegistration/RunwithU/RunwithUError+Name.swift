import ClientServices

extension RunwithUError {
    /// What the error is called in tables.
    var shortName: String {
        switch self {
        case .invalidRequest: "invalidRequest"
        case .wrongCredentials: "wrongCredentials"
        case .whitespaceInNickname: "whitespaceInNickname"
        case .forbidden: "forbidden"
        case .alreadyDone: "alreadyDone"
        case .notFound: "notFound"
        case .appKeyRefused: "appKeyRefused"
        case .tooManyCalls: "tooManyCalls"
        case .unknownAddress: "unknownAddress"
        case .notYours: "notYours"
        case .server(let status, _): "server(\(status))"
        case .unexpectedStatus(let status, _): "unexpectedStatus(\(status))"
        case .signedOut: "signedOut"
        case .sessionEnded(let reason): "sessionEnded(\(reason))"
        case .storage: "storage"
        case .transport(.other): "transport(other)"
        case .transport(let failure): "transport(\(failure))"
        case .unreadable: "unreadable"
        case .unsendable: "unsendable"
        case .incompleteUpload: "incompleteUpload"
        case .groupIsFull: "groupIsFull"
        case .paymentFailed: "paymentFailed"
        case .paymentUnconfirmed: "paymentUnconfirmed"
        }
    }
}
