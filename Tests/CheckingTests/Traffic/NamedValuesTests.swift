import Checking
import Testing

struct NamedValuesTests {
    @Test(arguments: [
        ("/cb?access_token=abc123def&x=1", ["abc123def"]),
        (#"{"password": "correct-horse", "user": "ada"}"#, ["correct-horse"]),
        (#"{\"refreshToken\":\"r4nd0m\/text\"}"#, ["r4nd0m/text"]),
        ("curl -H 'Authorization: Bearer r4nd0m-text'", ["r4nd0m-text"]),
        ("https://ada:hunter22@example.com/a", ["hunter22"]),
        ("token=a%2Bb%2Fc123", ["a+b/c123"]),
        // Sentences and codes of errors.
        ("The token has expired: sign in again", []), ("token: expired", []), ("https://example.com:8080/a@b", []),
        (#"{"error":"invalid_token","error_description":"expired1"}"#, []),
        (#"{"token_type":"bearer","expires_in":3600}"#, []),
    ])
    func `The secrets of a text are the values of names that say so`(text: String, secrets: [String]) {
        #expect(NamedValues(Array(text.utf8)).secrets == secrets)
    }
}
