use strict;
use warnings;

for my $module (qw(LWP::Authen::OAuth2 LWP::UserAgent JSON::PP)) {
    eval "require $module; 1" or do { print "no module $module\n"; exit 77 };
}
my $agent = LWP::UserAgent->new(max_redirect => 0);
my $document = JSON::PP::decode_json($agent->get("$ENV{ISSUER}/.well-known/openid-configuration")->content);
my $client = LWP::Authen::OAuth2->new(
    client_id => $ENV{CLIENT_ID}, client_secret => $ENV{CLIENT_SECRET}, redirect_uri => $ENV{REDIRECT_URI},
    authorization_endpoint => $document->{authorization_endpoint}, token_endpoint => $document->{token_endpoint},
    scope => "openid email",
);
my $sent = $agent->get($client->authorization_url(state => "s"))->header("Location");
my %sent = URI->new($sent)->query_form;
$client->request_tokens(code => $sent{code});
my $user = JSON::PP::decode_json($client->get($document->{userinfo_endpoint})->content);
die "email" unless $user->{email} eq "ada\@example.com";
print "$user->{sub}\n";
