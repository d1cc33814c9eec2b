import Basics
import Checking
import CommandLineInterface
import HTTPCodec
import JSON
import OpenAPI
import Reports
import ScenarioFormat
import StoryRunning

/// `backlot verify`: checks a live server against its contract.
enum VerifyCommand {
    private static let contract = Positional(
        "CONTRACT",
        .file(endings: TextFormat.endings),
        "The OpenAPI file, its http:// or https:// address, or - for standard input"
    )
    private static let against = Option(
        required: "against",
        "URL",
        .text("a URL such as http://localhost:8080"),
        "The server; if the URL has no path, the path of the contract's first server is added"
    )

    private static let plan = Option(flag: "plan", "List the requests to send and to skip, without sending them")

    static let description = CommandDescription(
        "verify",
        "Check a live server against its contract",
        discussion: """
            Sends requests for every documented operation and judges the responses: status, header fields, media type and \
            body. Values come from --parameter, earlier responses or examples, or are generated. No request is sent to \
            another server, and redirects to other servers are not followed.

            Operations with side effects are skipped: operations that the contract marks with x-backlot-effect as write \
            or destroy, and unmarked operations whose method is not GET, HEAD or OPTIONS. --allow-writes sends POST to \
            collections, and changes and deletes only resources whose creation the server confirmed with status 201. \
            --plan lists the requests without sending them.

            An operation whose requests were all rejected, for example with 401, 429, or 404 for a generated ID, \
            counts as not judged.

            Credentials come from the environment: BACKLOT_TOKEN for bearer tokens, BACKLOT_BASIC as user:password, \
            BACKLOT_APIKEY_NAME for the API key of the scheme with this name, and BACKLOT_CLIENT as id:secret. With \
            BACKLOT_CLIENT or BACKLOT_BASIC, tokens are requested with the contract's OAuth flows clientCredentials and \
            password. --sign-in obtains a token or session cookies from a sign-in request, and repeats the request when \
            the token or the cookies expire.

            Exits with 0 when all judged operations passed, with 1 when an operation failed, and with 2 when nothing was \
            judged or the server cannot be reached. With --strict, warnings and operations that were not judged fail as well.
            """,
        examples: [
            "backlot verify Contracts/pets.json --against http://localhost:8080": "Send every safe request",
            "backlot verify pets.json --against http://localhost:8080 --filter 'GET /pets/*' --parameter id=7":
                "Request one pet",
            "backlot verify pets.json --against http://localhost:8080 --sign-in 'POST /login' --sign-in-form user=me "
                + "--sign-in-form password=secret": "Sign in with a form first",
            "backlot verify http://localhost:8080/openapi.json --against http://localhost:8080 -p 'GET /pets/{id}:id=7'":
                "Check a server against the document that it publishes",
        ],
        options: [against, plan, PlayOptions.overlay, PlayOptions.map] + VerifyOptions.all + [
            RunCommand.baseline, RunCommand.updateBaseline, ReportOutput.option,
        ],
        positionals: [contract],
        result: ReportOutput.result
    )

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        let output = try ReportOutput(arguments)
        try output.checkFolders(arguments)
        let options = try VerifyOptions.read(arguments, files: DiskFiles())
        let baseline = try RunCommand.readBaseline(arguments)
        do {
            let contract = try load(arguments, options)
            let labels = contract.operations.map(\.label)
            if let entry = baseline.entries.first(where: { !labels.contains($0.subject.exact) }) {
                return Terminal.refuse(
                    "the baseline \(baseline.file ?? "") names \"\(entry.subject)\", which is not an operation of"
                        + " \(contract.path)"
                )
            }
            let watcher = VerifyWatcher()
            let verification = Verification(
                of: contract,
                against: try ServerURL(arguments[against]),
                options: options,
                credentials: VerificationCredentials(environment: Terminal.environment),
                pause: { BlockingPause.wait($0) },
                isInterrupted: { StopSignals.count > 0 },
                progress: { watcher.take($0) }
            )
            if arguments[plan] {
                let lines = try verification.plan().map { "\($0)".printable + "\n" }
                return Terminal.output(lines.joined()) ? .success : .misuse
            }
            StopSignals.hold()
            let outcome = try verification.run()
            watcher.finish()
            return finish(outcome, baseline, output)
        } catch let error as UsageError {
            throw error
        } catch let error as ContractError {
            Terminal.complain(error.findings)
        } catch let error as VerificationProblem {
            complain(error)
        } catch {
            Terminal.refuse("\(error)")
        }
        return .misuse
    }

    /// Loads the contract from a file, from a server, or from standard input.
    private static func load(_ arguments: ParsedArguments, _ options: VerificationOptions) throws -> Contract {
        let path = arguments[contract]
        let disk = DiskFiles()
        let document: GivenDocument? =
            if path == "-" {
                GivenDocument("standard-input", try standardInput(arguments), in: disk)
            } else if GivenDocument.isAddress(path) {
                try GivenDocument(at: path, timeout: options.timeout, trust: options.trust, in: disk)
            } else {
                nil
            }
        let files: any FileReading = document ?? disk
        let name = document?.name ?? path
        let root = document?.root.flatMap { ProjectRoot($0, files: files) }
        guard let project = root ?? ProjectRoot(enclosing: name, files: files) else {
            throw arguments.misuse("there is no file \"\(path)\"")
        }
        return try ContractLoader(
            files: files,
            project: project,
            overlays: arguments[PlayOptions.overlay],
            mappings: arguments[PlayOptions.map] + (document?.mapping.map { [$0] } ?? [])
        )
        .load(name)
    }

    private static func standardInput(_ arguments: ParsedArguments) throws(UsageError) -> [UInt8] {
        do {
            return try StandardInput.whole()
        } catch {
            throw arguments.misuse("standard input cannot be read: \(error.reason)")
        }
    }

    private static func finish(_ outcome: VerificationOutcome, _ baseline: Baseline, _ output: ReportOutput) -> ExitCode
    {
        var report = outcome.report
        let isWhole = outcome.problem == nil && !outcome.isInterrupted
        let updated = baseline.updated(by: report)
        report.accept(baseline)
        if baseline.takesAll, isWhole, let problem = RunCommand.write(updated) { return Terminal.refuse(problem) }
        let code = output.write(report)
        if outcome.isInterrupted { return .interrupted }
        return outcome.problem == nil ? code : .misuse
    }

    private static func complain(_ problem: VerificationProblem) {
        let advice = problem.advice.map { "; \($0)" } ?? ""
        Terminal.refuse("\(problem.sentence)\(advice)")
    }
}

/// The options of `backlot verify` that say what is sent, and how much.
enum VerifyOptions {
    private static let filter = Option(
        repeated: "filter",
        "OPERATIONS",
        ValueKind<OperationFilter>(expected: OperationFilter.expectation) { OperationFilter($0) },
        "Only matching operations; * matches any characters"
    )
    private static let operation = Option(
        repeated: "operation",
        "ID",
        .text("an operationId"),
        "Only the operation with this operationId"
    )
    private static let allowWrites = Option(
        flag: "allow-writes",
        "Also create resources, and change and delete the created resources"
    )
    private static let formats = Option(flag: "formats", "Report values that do not match their format as errors")
    private static let requiredOnly = Option(
        flag: "required-only",
        "Send no optional parameters, unless --parameter names them"
    )
    private static let checkSecurity = Option(
        flag: "check-security",
        "Also send requests without the required credentials, and report successes as errors"
    )
    private static let invalid = Option(
        flag: "invalid",
        "Also send invalid parameters in requests that change nothing, and report every response except a documented 4xx"
    )
    private static let parameter = Option(
        repeated: "parameter",
        short: "p",
        "NAME=VALUE",
        ValueKind<GivenParameter>(expected: "a name and a value, such as id=7 or 'GET /pets/{id}:id=7'") {
            GivenParameter($0)
        },
        "The value of a parameter, in all operations or in the operation before the colon"
    )
    private static let header = Option(
        repeated: "header",
        "FIELD",
        ValueKind<NamedValue>(expected: "a header field, such as 'X-Key: value'") { NamedValue(field: $0) },
        "A header field for every request"
    )
    private static let signIn = Option(
        repeated: "sign-in",
        "REQUEST",
        ValueKind<NamedRequest>(expected: "a method and a path, such as 'POST /auth'") { NamedRequest($0) },
        "The request that signs in; if repeated, the last request contains the body"
    )
    private static let signInHeader = Option(
        repeated: "sign-in-header",
        "FIELD",
        ValueKind<NamedValue>(expected: "a header field, such as 'X-Key: value'") { NamedValue(field: $0) },
        "A header field for the sign-in request only"
    )
    private static let signInBody = Option(
        "sign-in-body",
        "FILE",
        .file(),
        "The body of the sign-in request: JSON or a form"
    )
    private static let signInForm = Option(
        repeated: "sign-in-form",
        "NAME=VALUE",
        ValueKind<NamedValue>(expected: "a name and a value, such as user=me") { NamedValue(pair: $0) },
        "A form field for the body of the sign-in request"
    )
    private static let tokenPointer = Option(
        "token-pointer",
        "POINTER",
        ValueKind<JSONPointer>(expected: "a pointer such as /data/accessToken") { JSONPointer($0) },
        "The place of the token in the sign-in response; by default, a property with a usual token name"
    )
    private static let timeout = Option(
        "timeout",
        "DURATION",
        duration,
        default: .seconds(10),
        "The maximum time to wait for a response"
    )
    private static let maximumWait = Option(
        "max-wait",
        "DURATION",
        duration,
        default: .seconds(30),
        "The maximum time to wait for Retry-After"
    )
    private static let maximumRequests = Option(
        "max-requests",
        "N",
        .integer(in: 1...1_000_000),
        default: 1_000,
        "The maximum number of requests"
    )
    private static let concurrency = Option(
        "concurrency",
        "N",
        .integer(in: 1...64),
        default: 1,
        "The maximum number of simultaneous requests that change nothing"
    )
    private static let seed = Option("seed", "N", .integer(in: 0 ... .max), default: 1, "The seed for generated values")

    static let all: [any OptionDeclaring] =
        [
            filter, operation, allowWrites, CheckCommand.strict, formats, requiredOnly, invalid, checkSecurity,
            parameter, header,
            signIn, signInHeader, signInBody, signInForm, tokenPointer, timeout, maximumWait, maximumRequests,
            concurrency,
            seed,
        ] + TrustOptions.all

    private static var duration: ValueKind<Duration> {
        ValueKind(expected: "a duration such as 500ms or 10s", write: DurationText.text) { text in
            DurationText.parse(text).flatMap { $0 > .zero ? $0 : nil }
        }
    }

    static func read(_ arguments: ParsedArguments, files: DiskFiles) throws(UsageError) -> VerificationOptions {
        var options = VerificationOptions()
        options.filters = arguments[filter]
        options.operationIDs = arguments[operation]
        options.allowsWrites = arguments[allowWrites]
        options.isStrict = arguments[CheckCommand.strict]
        options.assertsFormats = arguments[formats]
        options.sendsOptional = !arguments[requiredOnly]
        options.checksSecurity = arguments[checkSecurity]
        options.sendsInvalid = arguments[invalid]
        options.parameters = arguments[parameter]
        for field in arguments[header] { options.fields.append(field.name, field.value) }
        options.timeout = arguments[timeout]
        options.maximumWait = arguments[maximumWait]
        options.maximumRequests = arguments[maximumRequests]
        options.seed = UInt64(arguments[seed])
        options.concurrency = arguments[concurrency]
        options.trust = try TrustOptions.read(arguments)
        options.signIn = try signInRequests(arguments, files)
        return options
    }

    private static func signInRequests(_ arguments: ParsedArguments, _ files: DiskFiles) throws(UsageError)
        -> [SignInRequest]
    {
        let requests = arguments[signIn]
        guard let last = requests.last else {
            guard arguments[signInBody] == nil, arguments[signInForm].isEmpty, arguments[signInHeader].isEmpty,
                arguments[tokenPointer] == nil
            else {
                throw arguments.misuse(
                    "--sign-in is missing; --sign-in-body, --sign-in-form, --sign-in-header and --token-pointer require it"
                )
            }
            return []
        }
        var body = Array(
            QueryItems(arguments[signInForm].map { QueryItems.Item(name: $0.name, value: $0.value) }).text.utf8
        )
        if let path = arguments[signInBody] {
            guard body.isEmpty else { throw arguments.misuse("--sign-in-body and --sign-in-form cannot be combined") }
            do {
                body = try files.read(path)
            } catch {
                throw arguments.misuse("\(path) cannot be read: \(error.reason)")
            }
        }
        var fields = HTTPFields()
        for field in arguments[signInHeader] { fields.append(field.name, field.value) }
        return requests.dropLast().map { SignInRequest(method: $0.method, path: $0.path, fields: fields) } + [
            SignInRequest(
                method: last.method,
                path: last.path,
                fields: fields,
                body: body,
                token: arguments[tokenPointer]
            )
        ]
    }
}
