package import OpenAPI

extension DocumentedResponse {
    /// A status that the documented one stands for when an operation is answered with it.
    ///
    /// A range stands for its first status that is not documented by itself. `default` means a failure where a success is
    /// documented besides, and a success where none is.
    package func servedStatus(by operation: Operation) -> Int? {
        switch status {
        case .code(let code): return code
        case .range(let first):
            return (first * 100..<first * 100 + 100).first { status in
                !operation.responses.contains { $0.status == .code(status) }
            }
        case .other:
            return (operation.documentsSuccess ? 500..<600 : 200..<300).first { status in
                operation.response(for: status)?.uri == uri
            }
        }
    }
}

extension Operation {
    /// Whether a success is documented by its status, or by the range of all successes.
    fileprivate var documentsSuccess: Bool {
        responses.contains { response in
            switch response.status {
            case .code(let code): 200..<300 ~= code
            case .range(let first): first == 2
            case .other: false
            }
        }
    }
}
