import Basics
import Checking
import CommandLineInterface
import HTTPCodec
import JSON
import OpenAPI

/// `backlot verify`: holds a live server against its contract.
enum VerifyCommand {
    private static let contract = Positional("CONTRACT", .file(endings: TextFormat.endings), "The OpenAPI file")
    private static let against = Option(
        required: "against",
        "URL",
        .text("a URL such as http://localhost:8080"),
        "The server; without a path, that of the contract's first server is added"
    )

    static let description = CommandDescription(
        "verify",
        "Hold a live server against its contract",
        discussion: """
            Sends a request for every documented operation, made from examples where there are any, and judges the \
            response: status, header fields, media type and body. Methods other than GET, HEAD and OPTIONS are only sent \
            with --allow-writes. Nothing is sent to any other server, and redirects that lead to one are not followed.

            Credentials come from the environment: BACKLOT_TOKEN for bearer tokens, BACKLOT_BASIC as user:password, \
            and BACKLOT_APIKEY_NAME for the API key whose scheme has that name. Or a request that signs in brings the \
            token: --sign-in with --token-pointer.

            Exits with 0 when everything held, with 1 when something did not, and with 2 when nothing was judged.
            """,
        examples: [
            "backlot verify Contracts/pets.json --against http://localhost:8080": "Ask everything that is safe to ask",
            "backlot verify pets.json --against http://localhost:8080 --filter 'GET /pets/*' --parameter id=7":
                "Ask for one pet",
            "backlot verify pets.json --against http://localhost:8080 --sign-in 'POST /auth' --sign-in-body me.json "
                + "--token-pointer /data/accessToken": "Sign in first",
        ],
        options: [against] + VerifyOptions.all + [ReportOutput.option],
        positionals: [contract]
    )

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        let output = try ReportOutput(arguments)
        let files = DiskFiles()
        let options = try VerifyOptions.read(arguments, files: files)
        let path = arguments[contract]
        guard let project = ProjectRoot(enclosing: path, files: files) else {
            throw arguments.misuse("there is no file \"\(path)\"")
        }
        do {
            let verification = Verification(
                of: try ContractLoader(files: files, project: project).load(path),
                against: try ServerURL(arguments[against]),
                options: options,
                credentials: VerificationCredentials(environment: Terminal.environment),
                // Only a cancelled task cuts a sleep short, and nobody cancels this one.
                pause: { duration in try? await Task.sleep(for: duration) }
            )
            return output.write(try await verification.run())
        } catch let error as ContractError {
            for finding in error.findings { Terminal.complain("\(finding)\n") }
        } catch let error as VerificationProblem {
            let advice = error.advice.map { "; \($0)" } ?? ""
            Terminal.complain("error: \(error.sentence)\(advice)\n")
        } catch {
            Terminal.complain("error: \(error)\n")
        }
        return .misuse
    }
}
