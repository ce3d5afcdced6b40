/** What people read of models, wherever one is chosen. Names come drawn where they stand among other words. */
export const modelTexts = {
  model: 'Model',
  effort: 'Effort',
  modes: 'Modes',
  /** Where nothing is chosen. */
  usual: 'The project’s own',
  needsModel: 'Name a model too: how hard it thinks and its modes go with one.',
  /** An entry of a menu: a model that is not among those we know. */
  useTyped: (word: string) => `Use “${word}”`,
  /** An entry of a menu: a name, and what it stands for. */
  alias: (name: string, means: string) => `${name} · ${means}`,
  /** What else holds with a model. */
  how: (effort: string | undefined, modes: readonly string[]) =>
    [...(effort === undefined ? [] : [effort]), ...modes].join(', '),

  unknown: (model: string) => `No model *${model}*.`,
  did: 'Did you mean one of these?',
  rejected: (model: string) => `The model *${model}* cannot be used.`,
  rejectedSome: 'That model cannot be used.',
  candidates: 'These can be used:',
  noCandidates: 'Without a model the default one is used.',
  withDefault: 'The default model',
  choose: 'Choose a model',
  kept: 'Your message is kept until you choose another model.',
  already: 'That message has gone out already.',
  past: 'That message was cancelled meanwhile, so it did not go out.',
  changed: 'That is no longer asked: its card says how this work stands.',
  health: {
    states: {
      connected: (provider: string) => `${provider} is connected, but does not offer it now.`,
      not_connected: (provider: string) => `${provider} is not connected.`,
      signed_out: (provider: string) => `${provider} is signed out.`,
      disabled: (provider: string) => `${provider} is switched off.`,
      usage_exhausted: (provider: string) => `${provider} has used up its quota.`,
    },
    unknown: (provider: string, state: string) => `${provider}: ${state}.`,
    subscription: (provider: string) => `The subscription to ${provider}`,
    key: (provider: string) => `The key for ${provider}`,
    actions: {
      connect: 'Connect it in the agent platform’s settings.',
      reconnect: 'Connect it again in the agent platform’s settings.',
      replace_key: 'Replace the key in the agent platform’s settings.',
      enable: 'Switch it on in the agent platform’s settings.',
    },
    resets: (when: string) => `It resets ${when}.`,
    /** `rejection`, where nothing more is known. */
    reasons: {
      disconnected: 'Its provider is no longer connected.',
      not_connected: 'Its provider is not connected.',
    },
  },
} as const
