/// The limits of a message, beyond which it is refused; every limit is checked while bytes arrive.
package struct HTTPLimits: Sendable, Hashable {
    /// Bytes of the method: 64.
    ///
    /// A longer run without a space is not a request line: 400.
    package var method: Int

    /// Bytes of the request target: 8 KiB, as RFC 9112, section 3 recommends at least.
    ///
    /// Beyond: 414.
    package var target: Int

    /// Bytes of all field lines together, line ends included: 64 KiB.
    ///
    /// Beyond: 431.
    package var fieldSection: Int

    /// Number of field lines: 100.
    ///
    /// Beyond: 431.
    package var fieldCount: Int

    /// Bytes of the body without its framing: 16 MiB.
    ///
    /// An announced length beyond is refused at once, a chunked body with the chunk that announces too much: 413.
    package var body: Int

    /// Empty lines before a request line, which RFC 9112, section 2.2 requires to be ignored: 8.
    ///
    /// Beyond: 400.
    package var leadingEmptyLines: Int

    /// Bytes of chunk extensions in one message, section 7.1.1: 4 KiB.
    ///
    /// Beyond: 400.
    package var chunkExtensions: Int

    /// Bytes of the trailer section: 16 KiB; its lines count against `fieldCount` for themselves.
    ///
    /// Beyond: 431.
    package var trailerSection: Int

    package init(
        method: Int = 64,
        target: Int = 8 << 10,
        fieldSection: Int = 64 << 10,
        fieldCount: Int = 100,
        body: Int = 16 << 20,
        leadingEmptyLines: Int = 8,
        chunkExtensions: Int = 4 << 10,
        trailerSection: Int = 16 << 10
    ) {
        self.method = method
        self.target = target
        self.fieldSection = fieldSection
        self.fieldCount = fieldCount
        self.body = body
        self.leadingEmptyLines = leadingEmptyLines
        self.chunkExtensions = chunkExtensions
        self.trailerSection = trailerSection
    }

    package static let standard = HTTPLimits()
}
