import {ownOf} from '../../security/foreign-json.ts'

/** What people read who install the app, in their browser. */
export const installTexts = {
  installed: (name: string) => `Bosun is installed in ${name}`,
  next: [
    'Go back to Slack, and invite Bosun to a channel: /invite @Bosun',
    'As an admin of the workspace, type /bosun connect there, and enter the API key and the project that it works with.',
    'Mention @Bosun with a task.',
  ],
  cancelled: 'Nothing was installed',
  cancelledWhy: 'You did not allow it in Slack. If that was a mistake, start again.',
  outdated: 'This page can no longer be used',
  outdatedWhy:
    'It is older than ten minutes, was already used, or was opened in a different browser. If Bosun is in your workspace, all is well; otherwise start again.',
  refused: 'Slack said no',
  refusedWhy: (code: string) =>
    `In Slack’s words: ${code}. ${ownOf(REASONS, code) ?? 'Start again.'}`,
  busy: 'Many install Bosun at this moment',
  busyWhy: 'Wait a minute, then load this page again.',
  silent: 'Slack does not answer',
  silentWhy: 'Wait a minute, then start again.',
  broken: 'Bosun could not keep the installation',
  brokenWhy:
    'Start again. If it keeps happening, whoever runs Bosun will find the reason in the log.',
  again: 'Start again',
}

const OPERATOR = 'Whoever runs Bosun has to fix this:'

const REASONS: Readonly<Record<string, string>> = {
  invalid_code: 'The code for this installation was already used or has expired. Start again.',
  code_already_used: 'The code for this installation was already used. Start again.',
  bad_redirect_uri: `${OPERATOR} PUBLIC_URL followed by /slack/oauth_redirect must be one of the app’s redirect URLs.`,
  bad_client_secret: `${OPERATOR} SLACK_CLIENT_SECRET is not the app’s.`,
  invalid_client_id: `${OPERATOR} SLACK_CLIENT_ID matches no app.`,
  invalid_scope: `${OPERATOR} the app does not declare a scope that Bosun asks for; its manifest lists them all.`,
  no_scopes: `${OPERATOR} the app declares no scopes; its manifest lists them all.`,
  cannot_install_an_org_installed_app:
    'Your organization already has it: ask its admin to add it to this workspace.',
  no_bot: `${OPERATOR} the app has no bot user.`,
}
