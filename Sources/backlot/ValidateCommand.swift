import Basics
import Checking
import CommandLineInterface
import JSON
import JSONSchema

/// `backlot validate`: checks JSON files against a JSON Schema, or against a schema inside an OpenAPI file.
enum ValidateCommand {
    private static let schema = Option(
        "schema",
        "FILE",
        .file(endings: TextFormat.endings),
        "The JSON Schema to validate with"
    )
    private static let contract = Option(
        "contract",
        "FILE",
        .file(endings: TextFormat.endings),
        "The OpenAPI file that contains the schema; requires --pointer"
    )
    private static let pointer = Option(
        "pointer",
        "POINTER",
        .text("a pointer such as #/components/schemas/User"),
        "The location of the schema in the OpenAPI file"
    )
    private static let overlays = PlayOptions.overlay
    private static let draft = Option(
        "draft",
        "DRAFT",
        .choice(of: SchemaDraft.names),
        "The draft for a schema without $schema; by default, 2020-12"
    )
    private static let format = Option(flag: "format", "Require values to match their format")
    private static let batch = Option(flag: "batch", "Read cases from standard input, one JSON object per line")
    private static let files = Positional(variadic: "FILE", .file(endings: TextFormat.endings), "The files to validate")

    static let description = CommandDescription(
        "validate",
        "Validate JSON files against a JSON Schema",
        discussion: """
            Exits with 0 when every file is valid, with 1 when a file is not valid, and with 2 when a file is not valid JSON or \
            not a valid schema.

            With --batch, each line of standard input is a case and produces one line of output: \
            {"id": 1, "draft": "2020-12", "format": false, "schema": {}, "instance": {}, "registry": {"URI": {}}}, \
            where "spec" and "pointer" can name a schema of an OpenAPI file instead of "schema".
            """,
        examples: [
            "backlot validate --schema user.schema.json user.json": "Validate a user",
            "backlot validate --contract api.json --pointer '#/components/schemas/User' user.json":
                "Validate with a schema of a contract",
        ],
        options: [schema, contract, pointer, overlays, draft, format, batch],
        positionals: [files]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        if arguments[batch] {
            guard !Terminal.printsJSON else {
                throw arguments.misuse("--batch prints JSON already, a line for each case; remove --json")
            }
            guard arguments[files].isEmpty, arguments[schema] == nil, arguments[contract] == nil else {
                throw arguments.misuse("--batch reads schemas and values from standard input; remove the files")
            }
            return answerLines() ? .success : .misuse
        }
        let formats: FormatMode = arguments[format] ? .assertion : .annotation
        let dialect = arguments[draft].flatMap(SchemaDraft.dialect)
        guard !arguments[files].isEmpty else {
            throw arguments.misuse("no FILE was given; specify the files to validate")
        }
        switch (arguments[schema], arguments[contract], arguments[pointer]) {
        case (let path?, nil, nil):
            // Its own keys are unknown to JSON Schema, so everything would be valid.
            if let bytes = try? DiskFiles().read(path),
                let root = try? JSONParser(duplicateNames: .lastWins).parse(bytes, ofFile: path).root,
                root["openapi"]?.string != nil
            {
                throw arguments.misuse(
                    "\(path) is an OpenAPI file; name a schema in the file: --contract \(path) "
                        + "--pointer '#/components/schemas/NAME'"
                )
            }
            guard arguments[overlays].isEmpty else {
                throw arguments.misuse("--overlay requires --contract")
            }
            return validate(arguments[files], path, at: "", dialect, formats)
        case (nil, let path?, let pointer?):
            return validate(arguments[files], path, at: pointer, dialect, formats, overlays: arguments[overlays])
        case (nil, .some, nil), (nil, nil, .some):
            throw arguments.misuse(
                "--contract and --pointer must be combined; they specify the OpenAPI file and the location of the schema"
            )
        case (nil, nil, nil):
            throw arguments.misuse("--schema is required; it specifies the JSON Schema to validate against")
        default:
            throw arguments.misuse("--schema and --contract cannot be combined")
        }
    }

    /// Checks every line; false when the reader of the results has gone.
    private static func answerLines() -> Bool {
        var input = StandardInput()
        var batch = BatchValidation(DiskFiles())
        while let line = input.next() {
            switch line {
            case .tooLong:
                guard Terminal.output(BatchValidation.answerToLine(longerThan: "64 MB")) else { return false }
            case .text(let bytes):
                guard let answer = batch.answer(to: bytes) else { continue }
                guard Terminal.output(answer) else { return false }
            }
        }
        return true
    }

    private static func validate(
        _ files: [String],
        _ path: String,
        at fragment: String,
        _ dialect: SchemaDialect?,
        _ formats: FormatMode,
        overlays: [String] = []
    ) -> ExitCode {
        var library = SchemaLibrary(DiskFiles(), formats: formats, overlays: overlays)
        let schema: Schema
        do {
            schema = try library.schema(in: path, at: fragment, dialect: dialect)
        } catch {
            return Terminal.refuse(error.findings)
        }
        Terminal.complain(library.remarks)
        var code = ExitCode.success
        for file in files {
            let verdict = validate(file, by: schema, library: &library)
            if verdict.rawValue > code.rawValue { code = verdict }
        }
        return code
    }

    private static func validate(
        _ file: String,
        by schema: Schema,
        library: inout SchemaLibrary
    ) -> ExitCode {
        let document: JSONDocument
        do {
            document = try library.read(file, duplicateNames: .lastWins)
        } catch {
            return Terminal.refuse(error.findings)
        }
        Terminal.complain(document.duplicates.map { $0.finding(in: file) })
        do {
            let evaluation = try schema.evaluate(document.root)
            for violation in evaluation.leaves { tell(violation, library.sources) }
            guard evaluation.isValid else { return .failed }
            Terminal.output("\(file): valid\n")
            return .success
        } catch {
            let place = Place(file: file, pointer: error.instance.description)
            return Terminal.refuse([Finding(.error, id: "schema/no-verdict", error.message, at: place)])
        }
    }

    /// Prints the finding, and below it the place in the schema.
    private static func tell(_ violation: SchemaViolation, _ sources: SourceMap) {
        var place = sources.place(of: violation.instancePosition)
        place.pointer = violation.instance.description
        let finding = Finding(
            .error,
            id: "schema/\(violation.keyword)",
            violation.sentence,
            at: place,
            advice: violation.advice
        )
        var origin = sources.place(of: violation.schemaPosition)
        if origin.file == nil { origin = Place(file: violation.schema) }
        guard !Terminal.printsJSON else { return Terminal.complain([finding]) }
        Terminal.output("\(finding)\n    \(origin): the schema is false\n")
    }
}
