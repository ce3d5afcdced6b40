/** What people read of models and of the names that they have here. Names come drawn. */
export const aliasTexts = {
  /** What `help` says. */
  help: {'/bosun': ['`/bosun models` names of models, for `model=` before a task']},
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/bosun models':
      'Names of models, and the models that have been met here. Admins add names, change and remove them.',
  },

  list: {
    headline: '*Models*',
    none: 'No model has a name here yet.',
    row: (name: string, means: string) => `*${name}* means ${means}`,
    known: (models: string) => `Met so far: ${models}`,
    nothingKnown: 'No model has been met yet: those that the agent platform names are kept here.',
    more: (count: number) => `and ${count} more`,
    use: 'Put *model=…* before a task, or write *!model …* to an agent at work.',
    add: 'Add a name',
    edit: 'Edit',
    remove: 'Remove',
  },

  form: {
    add: 'A name for a model',
    edit: 'Change a name',
    save: 'Save',
    cancel: 'Cancel',
    name: 'Name',
    nameHint: 'Letters, digits and dashes, 30 at most: fast, best, gpt-5-cheap.',
    wrongName: 'Letters, digits and dashes, 30 at most.',
    noModel: 'Choose a model, or type one.',
    isDefault: '*default* ends a choice of model. Take another name.',
    ofModel: 'The model’s own',
    means: (name: string) => `What *${name}* means`,
  },

  saved: (name: string, means: string) => `✅ *${name}* now means ${means}: *model=${name}*.`,
  removed: (name: string) =>
    `✅ *${name}* is removed. Whoever writes *model=${name}* is told by the agent platform which models there are.`,
  isModel: (name: string) =>
    `*${name}* is the id of a model, and means that one already. Take another name.`,
  isAlias: (name: string, means: string) =>
    `*${name}* is a name itself, and means ${means}. A name is for a model: choose that one.`,
  full: (most: number) => `There are ${most} names already. Remove one first: \`/bosun models\`.`,
  stale: (who: string | undefined, name: string) =>
    `${who ?? 'Somebody'} changed or removed *${name}* meanwhile, so nothing of yours was saved. \`/bosun models\` shows how it is now.`,
  gone: 'That name was changed or removed meanwhile. `/bosun models` shows how it is now.',

  /** `!model`, in the Slack thread of work. */
  word: {
    usage: (now: string | undefined) =>
      now === undefined
        ? 'Say which model: *!model best*, for the next messages here, or *!model best and your message*, for that one. `/bosun models` lists them.'
        : `Messages from here go with ${now}. *!model default* ends that; \`/bosun models\` lists other models.`,
    standing: (called: string) =>
      `From now on messages from here go to the agent with ${called}. *!model default* ends that.`,
    ended: 'From now on messages from here name no model: the agent platform decides.',
    notSet: 'Messages from here name no model: the agent platform decides.',
    wrongEffort: (said: string, near: string | undefined, all: string) =>
      near === undefined
        ? `No effort *${said}*. Choose ${all}. Nothing was sent.`
        : `No effort *${said}*. Did you mean *${near}*? Nothing was sent.`,
    wrongMode: (said: string, near: string | undefined, all: string) =>
      near === undefined
        ? `No mode *${said}*. Choose ${all}. Nothing was sent.`
        : `No mode *${said}*. Did you mean *${near}*? Nothing was sent.`,
  },
} as const
