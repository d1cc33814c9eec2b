#include "EmbeddedFiles.h"

#include <string.h>

#ifndef __has_embed
#error "#embed requires Clang 19 or later, which Swift 6.2 and Xcode 26 include"
#endif

// Standard since C23; before, an extension of the compiler.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page_html[] = {
#embed "../StubServing/Page/page.html"
};
static const unsigned char page_css[] = {
#embed "../StubServing/Page/page.css"
};
static const unsigned char page_js[] = {
#embed "../StubServing/Page/page.js"
};
static const unsigned char steering_js[] = {
#embed "../StubServing/Page/steering.js"
};
static const unsigned char keeping_js[] = {
#embed "../StubServing/Page/keeping.js"
};
static const unsigned char issuer_yaml[] = {
#embed "../ScenarioFormat/Issuer/issuer.yaml"
};
static const unsigned char getting_started_md[] = {
#embed "../Guides/Guides.docc/getting-started.md"
};
static const unsigned char add_to_your_package_md[] = {
#embed "../Guides/Guides.docc/add-to-your-package.md"
};
static const unsigned char install_md[] = {
#embed "../Guides/Guides.docc/install.md"
};
static const unsigned char your_own_backend_md[] = {
#embed "../Guides/Guides.docc/your-own-backend.md"
};
static const unsigned char test_your_swift_client_md[] = {
#embed "../Guides/Guides.docc/test-your-swift-client.md"
};
static const unsigned char client_styles_md[] = {
#embed "../Guides/Guides.docc/client-styles.md"
};
static const unsigned char judge_any_client_md[] = {
#embed "../Guides/Guides.docc/judge-any-client.md"
};
static const unsigned char rules_md[] = {
#embed "../Guides/Guides.docc/rules.md"
};
static const unsigned char contracts_in_ci_md[] = {
#embed "../Guides/Guides.docc/contracts-in-ci.md"
};
static const unsigned char verify_a_server_md[] = {
#embed "../Guides/Guides.docc/verify-a-server.md"
};
static const unsigned char https_md[] = {
#embed "../Guides/Guides.docc/https.md"
};
static const unsigned char troubleshooting_md[] = {
#embed "../Guides/Guides.docc/troubleshooting.md"
};
static const unsigned char for_programs_md[] = {
#embed "../Guides/Guides.docc/for-programs.md"
};
static const unsigned char explore_md[] = {
#embed "../Guides/Guides.docc/explore.md"
};
static const unsigned char captured_traffic_md[] = {
#embed "../Guides/Guides.docc/captured-traffic.md"
};
static const unsigned char processes_and_stores_md[] = {
#embed "../Guides/Guides.docc/processes-and-stores.md"
};
static const unsigned char build_servers_md[] = {
#embed "../Guides/Guides.docc/build-servers.md"
};
static const unsigned char editors_md[] = {
#embed "../Guides/Guides.docc/editors.md"
};
static const unsigned char xcode_and_maestro_md[] = {
#embed "../Guides/Guides.docc/xcode-and-maestro.md"
};
static const unsigned char time_and_tokens_md[] = {
#embed "../Guides/Guides.docc/time-and-tokens.md"
};
static const unsigned char recipes_md[] = {
#embed "../Guides/Guides.docc/recipes.md"
};
static const unsigned char recipes_tokens_md[] = {
#embed "../Guides/Guides.docc/recipes-tokens.md"
};
static const unsigned char recipes_oauth_md[] = {
#embed "../Guides/Guides.docc/recipes-oauth.md"
};
static const unsigned char recipes_clocks_md[] = {
#embed "../Guides/Guides.docc/recipes-clocks.md"
};
static const unsigned char recipes_rate_limits_md[] = {
#embed "../Guides/Guides.docc/recipes-rate-limits.md"
};
static const unsigned char recipes_faults_md[] = {
#embed "../Guides/Guides.docc/recipes-faults.md"
};
static const unsigned char recipes_flags_md[] = {
#embed "../Guides/Guides.docc/recipes-flags.md"
};
static const unsigned char recipes_paging_md[] = {
#embed "../Guides/Guides.docc/recipes-paging.md"
};
static const unsigned char recipes_http_md[] = {
#embed "../Guides/Guides.docc/recipes-http.md"
};
static const unsigned char recipes_streams_md[] = {
#embed "../Guides/Guides.docc/recipes-streams.md"
};
static const unsigned char recipes_graphql_md[] = {
#embed "../Guides/Guides.docc/recipes-graphql.md"
};
static const unsigned char recipes_payments_md[] = {
#embed "../Guides/Guides.docc/recipes-payments.md"
};
static const unsigned char collections_md[] = {
#embed "../Guides/Guides.docc/collections.md"
};
static const unsigned char scenario_reference_md[] = {
#embed "../Guides/Guides.docc/scenario-reference.md"
};
static const unsigned char staging_md[] = {
#embed "../Guides/Guides.docc/staging.md"
};
static const unsigned char story_reference_md[] = {
#embed "../Guides/Guides.docc/story-reference.md"
};
static const unsigned char commands_md[] = {
#embed "../Guides/Guides.docc/commands.md"
};
static const unsigned char admin_api_md[] = {
#embed "../Guides/Guides.docc/admin-api.md"
};
static const unsigned char shared_instance_md[] = {
#embed "../Guides/Guides.docc/shared-instance.md"
};
static const unsigned char documented_responses_md[] = {
#embed "../Guides/Guides.docc/documented-responses.md"
};
static const unsigned char response_variants_md[] = {
#embed "../Guides/Guides.docc/response-variants.md"
};
static const unsigned char coming_from_md[] = {
#embed "../Guides/Guides.docc/coming-from.md"
};
static const unsigned char coming_from_wiremock_md[] = {
#embed "../Guides/Guides.docc/coming-from-wiremock.md"
};
static const unsigned char coming_from_prism_md[] = {
#embed "../Guides/Guides.docc/coming-from-prism.md"
};
static const unsigned char coming_from_mockoon_md[] = {
#embed "../Guides/Guides.docc/coming-from-mockoon.md"
};
static const unsigned char coming_from_json_server_md[] = {
#embed "../Guides/Guides.docc/coming-from-json-server.md"
};
static const unsigned char coming_from_moya_stubs_md[] = {
#embed "../Guides/Guides.docc/coming-from-moya-stubs.md"
};
static const unsigned char coming_from_charles_md[] = {
#embed "../Guides/Guides.docc/coming-from-charles.md"
};
static const unsigned char coming_from_pact_md[] = {
#embed "../Guides/Guides.docc/coming-from-pact.md"
};
static const unsigned char draft_04_json[] = {
#embed "../JSONSchema/Metaschemas/Documents/draft-04.json"
};
static const unsigned char draft_06_json[] = {
#embed "../JSONSchema/Metaschemas/Documents/draft-06.json"
};
static const unsigned char draft_07_json[] = {
#embed "../JSONSchema/Metaschemas/Documents/draft-07.json"
};
static const unsigned char draft_2019_09_json[] = {
#embed "../JSONSchema/Metaschemas/Documents/draft-2019-09.json"
};
static const unsigned char draft_2020_12_json[] = {
#embed "../JSONSchema/Metaschemas/Documents/draft-2020-12.json"
};
static const unsigned char openapi_3_1_json[] = {
#embed "../JSONSchema/Metaschemas/Documents/openapi-3.1.json"
};

#define FILE(name, bytes) { name, bytes, sizeof bytes }

static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} files[] = {
    FILE("page.html", page_html),
    FILE("page.css", page_css),
    FILE("page.js", page_js),
    FILE("steering.js", steering_js),
    FILE("keeping.js", keeping_js),
    FILE("issuer.yaml", issuer_yaml),
    FILE("getting-started.md", getting_started_md),
    FILE("add-to-your-package.md", add_to_your_package_md),
    FILE("install.md", install_md),
    FILE("your-own-backend.md", your_own_backend_md),
    FILE("test-your-swift-client.md", test_your_swift_client_md),
    FILE("client-styles.md", client_styles_md),
    FILE("judge-any-client.md", judge_any_client_md),
    FILE("rules.md", rules_md),
    FILE("contracts-in-ci.md", contracts_in_ci_md),
    FILE("verify-a-server.md", verify_a_server_md),
    FILE("https.md", https_md),
    FILE("troubleshooting.md", troubleshooting_md),
    FILE("for-programs.md", for_programs_md),
    FILE("explore.md", explore_md),
    FILE("captured-traffic.md", captured_traffic_md),
    FILE("processes-and-stores.md", processes_and_stores_md),
    FILE("build-servers.md", build_servers_md),
    FILE("editors.md", editors_md),
    FILE("xcode-and-maestro.md", xcode_and_maestro_md),
    FILE("time-and-tokens.md", time_and_tokens_md),
    FILE("recipes.md", recipes_md),
    FILE("recipes-tokens.md", recipes_tokens_md),
    FILE("recipes-oauth.md", recipes_oauth_md),
    FILE("recipes-clocks.md", recipes_clocks_md),
    FILE("recipes-rate-limits.md", recipes_rate_limits_md),
    FILE("recipes-faults.md", recipes_faults_md),
    FILE("recipes-flags.md", recipes_flags_md),
    FILE("recipes-paging.md", recipes_paging_md),
    FILE("recipes-http.md", recipes_http_md),
    FILE("recipes-streams.md", recipes_streams_md),
    FILE("recipes-graphql.md", recipes_graphql_md),
    FILE("recipes-payments.md", recipes_payments_md),
    FILE("collections.md", collections_md),
    FILE("scenario-reference.md", scenario_reference_md),
    FILE("staging.md", staging_md),
    FILE("story-reference.md", story_reference_md),
    FILE("commands.md", commands_md),
    FILE("admin-api.md", admin_api_md),
    FILE("shared-instance.md", shared_instance_md),
    FILE("documented-responses.md", documented_responses_md),
    FILE("response-variants.md", response_variants_md),
    FILE("coming-from.md", coming_from_md),
    FILE("coming-from-wiremock.md", coming_from_wiremock_md),
    FILE("coming-from-prism.md", coming_from_prism_md),
    FILE("coming-from-mockoon.md", coming_from_mockoon_md),
    FILE("coming-from-json-server.md", coming_from_json_server_md),
    FILE("coming-from-moya-stubs.md", coming_from_moya_stubs_md),
    FILE("coming-from-charles.md", coming_from_charles_md),
    FILE("coming-from-pact.md", coming_from_pact_md),
    FILE("draft-04.json", draft_04_json),
    FILE("draft-06.json", draft_06_json),
    FILE("draft-07.json", draft_07_json),
    FILE("draft-2019-09.json", draft_2019_09_json),
    FILE("draft-2020-12.json", draft_2020_12_json),
    FILE("openapi-3.1.json", openapi_3_1_json),
};

const unsigned char *backlot_embedded_file(const char *name, size_t *count) {
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index += 1) {
        if (strcmp(files[index].name, name) == 0) {
            *count = files[index].count;
            return files[index].bytes;
        }
    }
    *count = 0;
    return NULL;
}
