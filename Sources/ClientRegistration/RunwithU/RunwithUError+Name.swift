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
        case .serviceKeyRefused: "serviceKeyRefused"
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
        case .unreadableReply: "unreadableReply"
        case .unusableInput: "unusableInput"
        case .incompleteUpload: "incompleteUpload"
        case .groupIsFull: "groupIsFull"
        case .paymentFailed: "paymentFailed"
        case .paymentUnconfirmed: "paymentUnconfirmed"
        }
    }
}
