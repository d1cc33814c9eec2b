public import BacklotTestServer
import Checking

extension BacklotServer.Contracts {
    /// A contract that checks requests and responses against the story's OpenAPI file.
    ///
    /// A request that the file does not allow fails the test. A response that the file does not allow is a mistake in
    /// the story, so it causes only a warning. An undocumented operation also causes a warning.
    public static var openAPI: BacklotServer.Contracts { BacklotServer.Contracts(reader: OpenAPIReader()) }
}
