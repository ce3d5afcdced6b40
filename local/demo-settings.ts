/** What the bots of the demo are given, one alone and several. */
export const DEMO_SETTINGS = {
  // Nobody reads that file here: a scripted agent's machine has its token all the same.
  PLATFORM_SESSION_TOKEN_FILE: '/etc/agent/session-token',
  // Nobody who tries out a budget or a watch waits half a minute.
  BOSUN_WATCH_SECONDS: '5',
}
