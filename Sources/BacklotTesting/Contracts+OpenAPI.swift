public import BacklotTestServer
import Checking

extension BacklotServer.Contracts {
    /// Requests and responses are checked against the story's OpenAPI file.
    ///
    /// A request that it does not allow fails the test. A response that it does not allow is a mistake of the story, not of the
    /// client's, so it is a warning, as an operation is that the file does not document.
    public static var openAPI: BacklotServer.Contracts { BacklotServer.Contracts(reader: OpenAPIReader()) }
}
