/** Action ids of our buttons, as Slack sends them back. */
export const ACTIONS = {
  stop: 'bosun:stop',
  archive: 'bosun:archive',
  unarchive: 'bosun:unarchive',
  /** A link: Slack tells us of the click all the same. */
  open: 'bosun:open',
  checkAgain: 'bosun:check-again',
  sendAgain: 'bosun:send-again',
  sendNow: 'bosun:send-now',
  cancel: 'bosun:cancel',
  /** Lets go, or drops, what a stop has held back. */
  sendHeld: 'bosun:send-held',
  discard: 'bosun:discard',
  unarchiveAndSend: 'bosun:unarchive-send',
  /** Asks first, since it is still working. */
  askArchive: 'bosun:ask-archive',
  stopAndArchive: 'bosun:stop-archive',
  archiveOnly: 'bosun:archive-only',
  menu: 'bosun:menu',
  newTitle: 'bosun:new-title',
  tasks: 'bosun:tasks',
  details: 'bosun:details',
  takeOver: 'bosun:take-over',
  mute: 'bosun:mute',
  unmute: 'bosun:unmute',
  /** Another value for an option of work that was asked for. */
  startWith: 'bosun:start-with',
  /** Of what was asked for with files that can't go along. */
  startWithout: 'bosun:start-without',
  startNot: 'bosun:start-not',
  sendWithout: 'bosun:send-without',
  sendNot: 'bosun:send-not',
  answer: 'bosun:answer',
  /** One of the answers that a question of an agent's machine offers; several of them; another one. */
  choose: 'bosun:choose',
  chooseSeveral: 'bosun:choose-several',
  chooseOther: 'bosun:choose-other',
  /** Boxes: what is ticked in them comes with [Send]. */
  ticks: 'bosun:ticks',
  /** One of the answers that an agent's own words offer. */
  pick: 'bosun:pick',
  /** What becomes of a plan. */
  planGo: 'bosun:plan-go',
  planChange: 'bosun:plan-change',
  planDrop: 'bosun:plan-drop',
  snooze: 'bosun:snooze',
  tryAgain: 'bosun:try-again',
  /** Beyond the budget of the work; beyond that of a person or a channel. */
  goOn: 'bosun:go-on',
  raiseBudget: 'bosun:raise-budget',
  homeNew: 'bosun:home-new',
  homeMore: 'bosun:home-more',
  homeDismiss: 'bosun:home-dismiss',
  homeNoise: 'bosun:home-noise',
  homeDm: 'bosun:home-dm',
  homeMorning: 'bosun:home-morning',
  homeModel: 'bosun:home-model',
  homeEffort: 'bosun:home-effort',
  homeModes: 'bosun:home-modes',
  homeSize: 'bosun:home-size',
  listStop: 'bosun:list-stop',
  listMore: 'bosun:list-more',
  listFilter: 'bosun:list-filter',
  followHere: 'bosun:follow-here',
  answerWatched: 'bosun:answer-watched',
  notThisOne: 'bosun:not-this-one',
  tasksPage: 'bosun:tasks-page',
  taskMessages: 'bosun:task-messages',
  taskMessagesPage: 'bosun:task-messages-page',
  followTask: 'bosun:follow-task',
  /** What an agent did with its tools. */
  steps: 'bosun:steps',
  stepsPage: 'bosun:steps-page',
  auditMore: 'bosun:audit-more',
  auditExport: 'bosun:audit-export',
  /** Opens the form about the key and the settings of a channel. */
  connect: 'bosun:connect',
  askAdmin: 'bosun:ask-admin',
  disconnect: 'bosun:disconnect',
  replaceKey: 'bosun:replace-key',
  review: 'bosun:review',
  /** Of a commit that has been reviewed. */
  reviewAgain: 'bosun:review-again',
  askForChanges: 'bosun:ask-for-changes',
  /** Tells the agent what its pull request waits for. */
  fix: 'bosun:fix',
  filtersMore: 'bosun:filters-more',
  deleteFilter: 'bosun:delete-filter',
  hookNew: 'bosun:hook-new',
  /** The same of one to which GitHub speaks. */
  githubNew: 'bosun:github-new',
  hooksMore: 'bosun:hooks-more',
  hookLog: 'bosun:hook-log',
  hookAgain: 'bosun:hook-again',
  hookSecret: 'bosun:hook-secret',
  /** The secrets before the newest one count no more. */
  hookRevoke: 'bosun:hook-revoke',
  /** Whether what deliveries to a hook begin is followed in its channel. */
  hookFollow: 'bosun:hook-follow',
  /** Brings what a delivery began into the channel. */
  runFollow: 'bosun:run-follow',
  hookDisable: 'bosun:hook-disable',
  /** What was delivered to the hooks of a channel and given up. */
  letters: 'bosun:letters',
  letterAgain: 'bosun:letter-again',
  letterDiscard: 'bosun:letter-discard',
  hookEnable: 'bosun:hook-enable',
  hookDelete: 'bosun:hook-delete',
  automationNew: 'bosun:automation-new',
  /** Of the form about a new one: its rarer inputs. */
  automationFields: 'bosun:automation-fields',
  automationDetails: 'bosun:automation-details',
  automationFollow: 'bosun:automation-follow',
  automationsMore: 'bosun:automations-more',
  automationDisable: 'bosun:automation-disable',
  automationEnable: 'bosun:automation-enable',
  automationDelete: 'bosun:automation-delete',
  automationRestore: 'bosun:automation-restore',
  rulesMore: 'bosun:rules-more',
  ruleNew: 'bosun:rule-new',
  ruleEdit: 'bosun:rule-edit',
  /** On the last messages of the channel, without starting anything. */
  ruleTry: 'bosun:rule-try',
  ruleOn: 'bosun:rule-on',
  ruleOff: 'bosun:rule-off',
  ruleDelete: 'bosun:rule-delete',
  /** Whether work is to start from a message that a rule asks about. */
  ruleStart: 'bosun:rule-start',
  ruleNot: 'bosun:rule-not',
  modelsMore: 'bosun:models-more',
  aliasNew: 'bosun:alias-new',
  aliasEdit: 'bosun:alias-edit',
  aliasRemove: 'bosun:alias-remove',
  /** Another model for work, or for a message, whose own cannot be used. */
  startModel: 'bosun:start-model',
  sendModel: 'bosun:send-model',
  /** Another model for a captain that was asked for. */
  captainModel: 'bosun:captain-model',
  /** The same captain without the picture that the plan has not. */
  captainPlain: 'bosun:captain-plain',
  /** The form of a captain that was refused, with what was entered. */
  captainChange: 'bosun:captain-change',
  captainMore: 'bosun:captain-more',
  captainAsk: 'bosun:captain-ask',
  captainBring: 'bosun:captain-bring',
  /** Brings what `/bosun find` found elsewhere into the channel. */
  findFollow: 'bosun:find-follow',
  findMore: 'bosun:find-more',
  usageMore: 'bosun:usage-more',
  /** Another page of projects, users or folders. */
  turnPage: 'bosun:turn-page',
  /** Opens the settings of the channel with another project. */
  useProject: 'bosun:use-project',
  /** Opens the form that files work in a folder. */
  file: 'bosun:file',
  /** A project of one’s own, or none. */
  useMine: 'bosun:use-mine',
  useNone: 'bosun:use-none',
  /** Starts what was offered, or opens its form. */
  offerStart: 'bosun:offer-start',
  offerChoose: 'bosun:offer-choose',
  roomOpen: 'bosun:room-open',
  digestChange: 'bosun:digest-change',
  digestOff: 'bosun:digest-off',
  /** What it would say now, to whoever presses. */
  digestShow: 'bosun:digest-show',
  /** Of help, which begins with what a newcomer needs. */
  allCommands: 'bosun:all-commands',
} as const

/** Callback id of App Home. */
export const HOME = 'bosun:home'

/** Callback ids of the forms that answer what an agent has asked. */
export const FORMS = {
  answer: 'bosun:answer',
  answerWatched: 'bosun:answer-watched',
  chooseOther: 'bosun:choose-other',
  planChange: 'bosun:plan-change',
  archive: 'bosun:archive',
} as const

/** Callback ids of the forms about reviews. */
export const REVIEW_FORMS = {rule: 'bosun:review-rule', changes: 'bosun:ask-for-changes'} as const

/** All our slash commands. */
export const COMMANDS = ['/bosun', '/review', '/captain'] as const

/** Callback ids of the forms that start work, or tell it something. */
export const START_FORMS = {start: 'bosun:start-form', send: 'bosun:send-form'} as const

/** Callback id of the form about the name of a model. */
export const ALIAS_FORM = 'bosun:alias'

/** Callback id of our step in Workflow Builder. */
export const START_AGENT = 'start_agent'

/** Callback id of the form about a rule. */
export const RULE_FORM = 'bosun:rule'
/** Callback id of the form about a channel’s digest. */
export const DIGEST_FORM = 'bosun:digest'

/** Callback id of the form that files work in a folder. */
export const FOLDER_FORM = 'bosun:file-form'

/** Callback ids of the forms about keys: which key, what it is for, another one in its place; and of what they show meanwhile. */
export const KEY_FORMS = {
  connect: 'bosun:connect',
  settings: 'bosun:connect-settings',
  replace: 'bosun:replace-key',
} as const
/** The block and the action in which a key is entered: what stands there is sealed before anything is written down. */
export const KEY_INPUT = 'bosun-key'

/** Callback ids of the forms about hooks and automations. */
export const HOOK_FORMS = {
  hook: 'bosun:hook',
  github: 'bosun:github-hook',
  automation: 'bosun:automation',
  automate: 'bosun:automate',
} as const

/** Callback ids of the forms about captains: a new one, and a question to one. */
export const CAPTAIN_FORMS = {create: 'bosun:captain-form', ask: 'bosun:captain-ask-form'} as const

/** Callback ids of our message shortcuts. */
export const SHORTCUTS = {
  send: 'bosun:send',
  manage: 'bosun:manage',
  automate: 'bosun:automate',
} as const

/** Callback ids of our modals. */
export const VIEWS = {manage: 'bosun:manage', steps: 'bosun:steps'} as const

/** Put on a card, it stops the work. */
export const STOP_SIGN = 'octagonal_sign'

/** The type of the metadata that names an announcement. */
export const ANNOUNCEMENT_METADATA = 'bosun_announcement'

/** The type of the metadata that names a message's post. Any app in the workspace may read it. */
export const POST_METADATA = 'bosun_post'
