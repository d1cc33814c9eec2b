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
    private static let contract = Positional("CONTRACT", .file(endings: TextFormat.endings), "The OpenAPI file")
    private static let against = Option(
        required: "against",
        "URL",
        .text("a URL such as http://localhost:8080"),
        "The server; without a path, that of the contract's first server is added"
    )

    private static let plan = Option(flag: "plan", "List the requests to send and to skip, without sending them")

    static let description = CommandDescription(
        "verify",
        "Check a live server against its contract",
        discussion: """
            Sends a request for every documented operation, built from examples if there are any, and judges the \
            response: status, header fields, media type and body. No request is sent to another server, and redirects \
            to other servers are not followed.

            Operations with side effects are skipped: those that the contract marks with x-backlot-effect as write or \
            destroy, and unmarked ones whose method is not GET, HEAD or OPTIONS. --allow-writes sends POST to \
            collections, and changes and deletes only resources that it created, as status 201 confirms. --plan lists \
            the requests and sends none.

            An operation whose requests were all rejected, for example with 401, 429, or 404 for a generated ID, \
            counts as not judged.

            Credentials come from the environment: BACKLOT_TOKEN for bearer tokens, BACKLOT_BASIC as user:password, \
            and BACKLOT_APIKEY_NAME for the API key whose scheme has that name. Alternatively, --sign-in with \
            --token-pointer gets the token from a sign-in request.

            Exits with 0 when all judged operations passed, with 1 when one failed, and with 2 when nothing was \
            judged. With --strict, warnings and operations that were not judged fail as well.
            """,
        examples: [
            "backlot verify Contracts/pets.json --against http://localhost:8080": "Send every safe request",
            "backlot verify pets.json --against http://localhost:8080 --filter 'GET /pets/*' --parameter id=7":
                "Request one pet",
            "backlot verify pets.json --against http://localhost:8080 --sign-in 'POST /auth' --sign-in-body me.json "
                + "--token-pointer /data/accessToken": "Sign in first",
        ],
        options: [against, plan, PlayOptions.overlay, PlayOptions.map] + VerifyOptions.all + [
            RunCommand.baseline, RunCommand.updateBaseline, ReportOutput.option,
        ],
        positionals: [contract]
    )

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        let output = try ReportOutput(arguments)
        let files = DiskFiles()
        let options = try VerifyOptions.read(arguments, files: files)
        let baseline = try RunCommand.readBaseline(arguments)
        let path = arguments[contract]
        guard let project = ProjectRoot(enclosing: path, files: files) else {
            throw arguments.misuse("there is no file \"\(path)\"")
        }
        do {
            let contract = try ContractLoader(
                files: files,
                project: project,
                overlays: arguments[PlayOptions.overlay],
                mappings: arguments[PlayOptions.map]
            )
            .load(path)
            let labels = contract.operations.map(\.label)
            if let entry = baseline.entries.first(where: { !labels.containsExactly($0.subject) }) {
                return Terminal.refuse(
                    "the baseline \(baseline.file ?? "") names \"\(entry.subject)\", which is not an operation of \(path)"
                )
            }
            let verification = Verification(
                of: contract,
                against: try ServerURL(arguments[against]),
                options: options,
                credentials: VerificationCredentials(environment: Terminal.environment),
                // Only a cancelled task cuts a sleep short, and this one is not cancelled.
                pause: { duration in try? await Task.sleep(for: duration) }
            )
            if arguments[plan] {
                let lines = try verification.plan().map { "\($0)".printable + "\n" }
                return Terminal.output(lines.joined()) ? .success : .misuse
            }
            var report = try await verification.run()
            let updated = baseline.updated(by: report)
            report.accept(baseline)
            if baseline.takesAll, let problem = RunCommand.write(updated) { return Terminal.refuse(problem) }
            return output.write(report)
        } catch let error as ContractError {
            Terminal.complain(error.findings)
        } catch let error as VerificationProblem {
            let advice = error.advice.map { "; \($0)" } ?? ""
            Terminal.complain("error: \(error.sentence)\(advice)\n")
        } catch {
            Terminal.complain("error: \(error)\n")
        }
        return .misuse
    }
}

/// The options of `backlot verify` that say what is sent, and how much.
enum VerifyOptions {
    private static let filter = Option(
        repeated: "filter",
        "OPERATIONS",
        ValueKind<OperationFilter>(expected: OperationFilter.expectation) { OperationFilter($0) },
        "Only matching operations; * matches anything"
    )
    private static let operation = Option(
        repeated: "operation",
        "ID",
        .text("an operationId"),
        "Only the operation with this operationId"
    )
    private static let allowWrites = Option(
        flag: "allow-writes",
        "Also create resources, and change and delete the created ones"
    )
    private static let formats = Option(flag: "formats", "Report values that do not match their format as errors")
    private static let parameter = Option(
        repeated: "parameter",
        short: "p",
        "NAME=VALUE",
        ValueKind<NamedValue>(expected: "a name and a value, such as id=7") { NamedValue(parameter: $0) },
        "The value of a parameter in all operations"
    )
    private static let header = Option(
        repeated: "header",
        "FIELD",
        ValueKind<NamedValue>(expected: "a header field, such as 'X-Key: value'") { NamedValue(field: $0) },
        "A header field for every request"
    )
    private static let signIn = Option(
        "sign-in",
        "REQUEST",
        ValueKind<NamedRequest>(expected: "a method and a path, such as 'POST /auth'") { NamedRequest($0) },
        "The request that signs in; requires --token-pointer"
    )
    private static let signInHeader = Option(
        repeated: "sign-in-header",
        "FIELD",
        ValueKind<NamedValue>(expected: "a header field, such as 'X-Key: value'") { NamedValue(field: $0) },
        "A header field for the sign-in request only"
    )
    private static let signInBody = Option("sign-in-body", "FILE", .file(), "The JSON body of the sign-in request")
    private static let tokenPointer = Option(
        "token-pointer",
        "POINTER",
        ValueKind<JSONPointer>(expected: "a pointer such as /data/accessToken") { JSONPointer($0) },
        "The place of the token in the sign-in response"
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
    private static let seed = Option("seed", "N", .integer(in: 0 ... .max), default: 1, "The seed of generated values")

    static let all: [any OptionDeclaring] = [
        filter, operation, allowWrites, CheckCommand.strict, formats, parameter, header, signIn, signInHeader,
        signInBody, tokenPointer, timeout,
        maximumWait,
        maximumRequests, seed,
    ]

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
        options.parameters = arguments[parameter].map { ($0.name, $0.value) }
        for field in arguments[header] { options.fields.append(field.name, field.value) }
        options.timeout = arguments[timeout]
        options.maximumWait = arguments[maximumWait]
        options.maximumRequests = arguments[maximumRequests]
        options.seed = UInt64(arguments[seed])
        options.signIn = try signInRequest(arguments, files)
        return options
    }

    private static func signInRequest(_ arguments: ParsedArguments, _ files: DiskFiles) throws(UsageError)
        -> SignInRequest?
    {
        guard let request = arguments[signIn] else {
            guard arguments[signInBody] == nil, arguments[signInHeader].isEmpty, arguments[tokenPointer] == nil else {
                throw arguments.misuse(
                    "--sign-in is missing; --sign-in-body, --sign-in-header and --token-pointer require it"
                )
            }
            return nil
        }
        guard let pointer = arguments[tokenPointer] else {
            throw arguments.misuse("--sign-in requires --token-pointer: the place of the token in its response")
        }
        var body: [UInt8] = []
        if let path = arguments[signInBody] {
            do {
                body = try files.read(path)
            } catch {
                throw arguments.misuse("\(path) cannot be read: \(error.reason)")
            }
        }
        var fields = HTTPFields()
        for field in arguments[signInHeader] { fields.append(field.name, field.value) }
        return SignInRequest(
            method: request.method,
            path: request.path,
            fields: fields,
            body: body,
            token: pointer
        )
    }
}
