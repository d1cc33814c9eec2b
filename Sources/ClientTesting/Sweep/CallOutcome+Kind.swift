extension CallOutcome {
    /// The outcome without what an error quotes from the server: `refused`, or `ServerProblem`.
    var kind: String {
        guard case .failed(let failure) = self else { return "\(self)" }
        let isShort = !failure.name.utf8.contains { $0 == UInt8(ascii: "\"") } && failure.name.utf8.count <= 40
        return isShort ? failure.name : failure.kind
    }

    /// Whether it is what another refusal has come to, but for words of the server that an error repeats.
    ///
    /// - Parameter isChosen: whether the server has said something else of what it may choose from, such as a code: then
    ///   another error of the same type is as good.
    func isLike(_ other: CallOutcome, isChosen: Bool) -> Bool {
        switch (self, other) {
        case (.failed(let one), .failed(let two)):
            if one.name.utf8.elementsEqual(two.name.utf8) { return true }
            guard (one.decoding == nil) == (two.decoding == nil), type(of: one.error) == type(of: two.error) else {
                return false
            }
            return isChosen || one.kind.utf8.elementsEqual(two.kind.utf8)
        default: return "\(self)" == "\(other)"
        }
    }
}

extension CallFailure {
    /// The case of an enumeration, or else the error's type.
    fileprivate var kind: String {
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return "\(type(of: error))" }
        return mirror.children.first?.label ?? "\(error)"
    }
}
