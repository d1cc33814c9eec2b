use strict;
use warnings;

for my $module (qw(Net::OAuth2::Profile::WebServer LWP::UserAgent JSON::PP)) {
    eval "require $module; 1" or do { print "no module $module\n"; exit 77 };
}
my $agent = LWP::UserAgent->new(max_redirect => 0);
my $document = JSON::PP::decode_json($agent->get("$ENV{ISSUER}/.well-known/openid-configuration")->content);
my $profile = Net::OAuth2::Profile::WebServer->new(
    client_id => $ENV{CLIENT_ID}, client_secret => $ENV{CLIENT_SECRET}, site => $ENV{ISSUER},
    authorize_path => "/oauth/authorize", access_token_path => "/oauth/token", refresh_token_path => "/oauth/token",
    redirect_uri => $ENV{REDIRECT_URI}, scope => "openid email", secrets_in_params => 0,
);
my $sent = $agent->get($profile->authorize(state => "s"))->header("Location");
my %sent = URI->new($sent)->query_form;
die "state" unless $sent{state} eq "s";
my $token = $profile->get_access_token($sent{code});
my $user = JSON::PP::decode_json($token->get($document->{userinfo_endpoint})->content);
die "email" unless $user->{email} eq "ada\@example.com";
print "$user->{sub}\n";
