/// All that a program is started with.
package struct ProgramStart: Sendable {
    /// The program and its arguments; a program without a slash is looked for in the folders of `PATH`.
    package var words: [String]
    /// `NAME=value` each; `nil` for what our own process has.
    package var environment: [String]?
    /// The working folder; `nil` for our own.
    ///
    /// Systems differ in what a relative path to the program then starts from, so it should be absolute.
    package var folder: String?
    /// Standard input; `nil` for our own, as with the other two.
    package var input: Descriptor?
    package var output: Descriptor?
    /// Standard error; it may be the same descriptor as ``output``.
    package var errors: Descriptor?
    /// Whether the process is at the head of a group of its own, so that signals reach whatever it starts.
    package var leadsGroup: Bool

    package init(
        _ words: [String],
        environment: [String]? = nil,
        folder: String? = nil,
        input: Descriptor? = nil,
        output: Descriptor? = nil,
        errors: Descriptor? = nil,
        leadsGroup: Bool = false
    ) {
        self.words = words
        self.environment = environment
        self.folder = folder
        self.input = input
        self.output = output
        self.errors = errors
        self.leadsGroup = leadsGroup
    }
}
