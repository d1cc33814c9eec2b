/// Something that a twin of kiwIT can ask.
struct KiwITCall: Sendable {
    var id: String
    var method: String
    var path: String
    var query = ""
    var body: String?
    /// What comes back; `nil` when nothing does.
    var shape: KiwITShape?
    /// What comes back with a status of its own.
    var shapes: [Int: KiwITShape] = [:]
    /// Statuses that mean that there is nothing.
    var nothing: Set<Int> = []
    /// Whether no token is needed.
    var isOpen = false

    init(_ id: String, _ method: String, _ path: String, _ shape: KiwITShape? = nil) {
        self.id = id
        self.method = method
        self.path = path
        self.shape = shape
    }

    func sending(_ body: String) -> KiwITCall {
        var call = self
        call.body = body
        return call
    }

    func page(_ number: Int, of size: Int = 30) -> KiwITCall {
        var call = self
        call.query = "limit=\(size)&next=\(number)"
        return call
    }

    func empty(_ statuses: Int...) -> KiwITCall {
        var call = self
        call.nothing = Set(statuses)
        return call
    }

    func open(_ shapes: [Int: KiwITShape] = [:]) -> KiwITCall {
        var call = self
        call.isOpen = true
        call.shapes = shapes
        return call
    }
}
