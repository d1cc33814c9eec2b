import Basics
import HTTPCodec
import JSON

/// A sign-in: for which device and which account.
package struct SignIn: Sendable {
    package var device: TextTemplate?
    package var account: TextTemplate?
}

extension SignIn: ModelObject {
    static let keys = Keys("signIn", "\"signIn\"", "a sign-in that starts a token family") {
        Key("device", \.device, .template(.any), "The device that signs in; placeholders allowed.")
            .otherwise("the device named in the device header, or a new device").example("{{request.body#/device}}")
        Key("account", \.account, .template(.any), "The account that signs in, or \"\"; placeholders allowed.")
            .otherwise("the first account").example("{{found.user.name}}")
    }

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        if let account = tree["account"], let name = account.string, !name.isEmpty,
            !TemplateParser.mayHoldPlaceholders(name)
        {
            builder.expect(name, among: builder.names.accounts, as: "account", at: account.position)
        }
    }
}
