import Basics
import Checking
import CommandLineInterface

/// The options of `backlot check` that show what a contract allows, instead of checking anything.
enum VariantOptions {
    private static let list = Option(
        "list-variants",
        "OPERATION",
        .text("an operation's id"),
        "List bodies on the edge of what the contract allows for its answers"
    )
    private static let write = Option(
        "write-variant",
        "VARIANT",
        .text("an operation, a status, and a number or label"),
        "Write one of them as a fixture: 'getMe 200 #7'"
    )
    private static let file = Option("output", "FILE", .file(endings: ["json"]), "Where --write-variant writes")
    private static let force = Option(flag: "force", "Let --write-variant write over a file that is there")

    static let all: [any OptionDeclaring] = [list, write, file, force]

    /// Does what was asked for; `nil` when neither was.
    static func run(_ arguments: ParsedArguments, _ paths: [String]) throws(UsageError) -> ExitCode? {
        let (listed, written) = (arguments[list], arguments[write])
        if listed != nil, written != nil {
            throw arguments.misuse("--list-variants and --write-variant exclude each other; name one of them")
        }
        if arguments[file] != nil, written == nil { throw arguments.misuse("--output needs --write-variant VARIANT") }
        if arguments[force], arguments[file] == nil { throw arguments.misuse("--force needs --output FILE") }
        guard listed != nil || written != nil else { return nil }
        for option in [CheckCommand.strict.declaration, ReportOutput.option.declaration]
        where arguments.origin(of: option) != nil {
            throw arguments.misuse("--\(option.name) is about what a check finds, and nothing is checked here")
        }
        do {
            let catalog = try VariantCatalog(paths, files: DiskFiles())
            if let listed { show(try catalog.variants(of: listed)) }
            if let written {
                return write(try catalog.variant(written), to: arguments[file], overwriting: arguments[force])
            }
        } catch {
            throw arguments.misuse(error.sentence)
        }
        return .success
    }

    private static func show(_ variants: [NumberedVariant]) {
        let width = variants.map(\.name.count).max() ?? 0
        for variant in variants {
            let name = variant.name + String(repeating: " ", count: width - variant.name.count)
            let kind = variant.kind
            let padding = String(repeating: " ", count: 9 - kind.count)
            Terminal.output("\(name.printable)  \(kind)\(padding)  \(variant.label.printable)\n")
        }
    }

    private static func write(_ variant: NumberedVariant, to file: String?, overwriting: Bool) -> ExitCode {
        let text = String(decoding: variant.fixture, as: UTF8.self)
        guard let file else {
            Terminal.output(text)
            return .success
        }
        let files = DiskFiles()
        if !overwriting, files.resolve(file) != nil, !files.isFolder(file) {
            return refuse("there is a file \"\(file)\" already; name another one, or add --force to write over it")
        }
        if let problem = Terminal.writeFile(file, text) {
            return refuse("\"\(file)\" cannot be written: \(problem)")
        }
        Terminal.output("\(variant.name.printable), \(variant.label.printable): \(file.printable)\n")
        return .success
    }

    private static func refuse(_ sentence: String) -> ExitCode {
        Terminal.complain("error: \(sentence.printable)\n")
        return .misuse
    }
}
