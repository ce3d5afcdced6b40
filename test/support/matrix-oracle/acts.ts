/**
 * Who may do what, as the documents say it: written by hand, row by row, of what people read. `docs/commands.md` has
 * the commands, words and shortcuts; what stands in messages, forms and App Home follows the work that it is about.
 */

/**
 * `everybody`: of the workspace, guests too. `people`: who may use Bosun in the channel. `admins`: of the workspace.
 * `theirs`: of the people, the sender, whoever started the work, and admins. `asker`: of the people, who asked for it.
 */
export type Who = 'everybody' | 'people' | 'admins' | 'theirs' | 'asker'

/**
 * Where it is done. `place`: by a message, a command or a button there, which only its members can. `view`: in a form
 * or a modal, which stays open when its reader leaves the place. `home`: in App Home, which is in no place.
 */
type Where = 'place' | 'view' | 'home'

export interface Act {
  /** As a person would call it. */
  name: string
  /** As Slack delivers it. */
  event: string
  who: Who
  where: Where
}

/** What is typed, named by what is typed. */
const COMMANDS: readonly (readonly [command: string, who: Who])[] = [
  ['/bosun', 'everybody'],
  ['/bosun help', 'everybody'],
  ['/bosun new', 'people'],
  ['/bosun status', 'people'],
  ['/bosun mine', 'people'],
  ['/bosun tasks', 'people'],
  ['/bosun find', 'people'],
  ['/bosun follow', 'people'],
  ['/bosun watch', 'people'],
  ['/bosun unwatch', 'people'],
  ['/bosun automations', 'people'],
  ['/bosun hooks', 'people'],
  ['/bosun projects', 'people'],
  ['/bosun use', 'people'],
  ['/bosun users', 'people'],
  ['/bosun folders', 'people'],
  ['/bosun channel', 'people'],
  ['/bosun models', 'people'],
  ['/bosun digest', 'people'],
  ['/bosun room', 'people'],
  ['/stop', 'people'],
  ['/details', 'people'],
  ['/tasks', 'people'],
  ['/steps', 'people'],
  ['/new-title', 'people'],
  ['/archive-work', 'people'],
  ['/model', 'people'],
  ['/', 'everybody'],
  ['/bosun connect', 'admins'],
  ['/bosun disconnect', 'admins'],
  ['/bosun usage', 'admins'],
  ['/bosun doctor', 'admins'],
  ['/bosun rules', 'admins'],
  ['/bosun audit', 'admins'],
  ['/review', 'people'],
  ['/review rules', 'people'],
  ['/review filters', 'people'],
  ['/review billing', 'admins'],
  ['/review help', 'everybody'],
  ['/captain', 'everybody'],
  ['/captain new', 'people'],
  ['/captain list', 'people'],
  ['/captain ask', 'people'],
  ['/captain here', 'people'],
  ['/captain help', 'everybody'],
]

/** What is done in a Slack thread, but for its buttons. */
const IN_THREADS: readonly (readonly [name: string, event: string, who: Who])[] = [
  ['a reply, and every word that is typed there', 'message', 'people'],
  ['an edit of a reply', 'message changed', 'people'],
  ['a reply is deleted', 'message deleted', 'people'],
  ['🛑 on a message of Bosun’s', 'reaction octagonal_sign', 'people'],
  ['🤖 on a message', 'reaction ', 'people'],
  ['Slack’s own stop', 'native stop', 'people'],
  ['Send to Bosun', 'shortcut bosun:send', 'people'],
  ['Manage this work', 'shortcut bosun:manage', 'people'],
  ['Send to automation', 'shortcut bosun:automate', 'people'],
]

/** Buttons of messages, and of whispers, which are seen where they were asked for. */
const BUTTONS: readonly (readonly [name: string, id: string, who: Who])[] = [
  ['Stop', 'stop', 'people'],
  ['Archive', 'archive', 'people'],
  ['Archive, of what works', 'ask-archive', 'people'],
  ['Stop and archive', 'stop-archive', 'people'],
  ['Archive, let it finish', 'archive-only', 'people'],
  ['Unarchive', 'unarchive', 'people'],
  ['New title', 'new-title', 'people'],
  ['Take over', 'take-over', 'people'],
  ['Details', 'details', 'people'],
  ['Mute here', 'mute', 'people'],
  ['Unmute', 'unmute', 'people'],
  ['Tasks', 'tasks', 'people'],
  ['Check again', 'check-again', 'people'],
  ['Send again', 'send-again', 'people'],
  ['Send now', 'send-now', 'theirs'],
  ['Cancel', 'cancel', 'theirs'],
  ['Send, of what a stop held', 'send-held', 'theirs'],
  ['Discard, of what a stop held', 'discard', 'theirs'],
  ['Unarchive and send', 'unarchive-send', 'theirs'],
  ['Go on without it, of a message', 'send-without', 'theirs'],
  ['Cancel, of a message with files', 'send-not', 'theirs'],
  ['Start with another value', 'start-with', 'asker'],
  ['Go on without it, of a task', 'start-without', 'asker'],
  ['Cancel, of a task with files', 'start-not', 'asker'],
  ['Start, of what was offered', 'offer-start', 'asker'],
  ['Choose…, of what was offered', 'offer-choose', 'asker'],
  ['All commands', 'all-commands', 'everybody'],
  ['Answer', 'answer', 'people'],
  ['An answer that the agent’s words offer', 'pick', 'people'],
  ['Go ahead, with a plan', 'plan-go', 'people'],
  ['Change …, of a plan', 'plan-change', 'people'],
  ['Drop it, of a plan', 'plan-drop', 'people'],
  ['Snooze', 'snooze', 'people'],
  ['An answer to a question', 'choose', 'people'],
  ['Send, of several answers', 'choose-several', 'people'],
  ['Other …, of a question', 'choose-other', 'people'],
  ['Try again', 'try-again', 'people'],
  ['Go on beyond the budget of the work', 'go-on', 'theirs'],
  ['Go on beyond the budget of a person or a channel', 'raise-budget', 'admins'],
  ['Stop, in a list', 'list-stop', 'people'],
  ['More, of a list of work', 'list-more', 'people'],
  ['All, Needs me, Running, Done, of a list of work', 'list-filter', 'people'],
  ['More, of what was found', 'find-more', 'people'],
  ['Follow here, of what was found', 'find-follow', 'people'],
  ['Next, of projects, people and folders', 'turn-page', 'people'],
  ['File', 'file', 'people'],
  ['More, of what was billed', 'usage-more', 'admins'],
  ['Use here', 'use-project', 'admins'],
  ['A project of one’s own', 'use-mine', 'people'],
  ['Forget my choice', 'use-none', 'people'],
  ['Follow here, of a watched project', 'follow-here', 'people'],
  ['Answer, of a watched project', 'answer-watched', 'people'],
  ['Not this one', 'not-this-one', 'people'],
  ['Another model for work that has not begun', 'start-model', 'people'],
  ['Another model for a message', 'send-model', 'theirs'],
  ['More names of models', 'models-more', 'people'],
  ['Add a name', 'alias-new', 'admins'],
  ['Edit an alias', 'alias-edit', 'admins'],
  ['Remove an alias', 'alias-remove', 'admins'],
  ['Set up or change a digest', 'digest-change', 'admins'],
  ['Turn off a digest', 'digest-off', 'admins'],
  ['Show what a digest would say', 'digest-show', 'people'],
  ['Open a room for work', 'room-open', 'people'],
  ['Another model for a captain', 'captain-model', 'asker'],
  ['A captain without its picture', 'captain-plain', 'asker'],
  ['Change, of a captain that was asked for', 'captain-change', 'asker'],
  ['More captains', 'captain-more', 'people'],
  ['Ask a captain', 'captain-ask', 'people'],
  ['Bring a captain here', 'captain-bring', 'people'],
  ['More rules', 'rules-more', 'admins'],
  ['New rule', 'rule-new', 'admins'],
  ['Edit a rule', 'rule-edit', 'admins'],
  ['Try a rule', 'rule-try', 'admins'],
  ['Turn a rule on', 'rule-on', 'admins'],
  ['Turn a rule off', 'rule-off', 'admins'],
  ['Delete a rule', 'rule-delete', 'admins'],
  ['Start, of what a rule asks', 'rule-start', 'people'],
  ['Not this one, of what a rule asks', 'rule-not', 'people'],
  ['Older, of the audit', 'audit-more', 'admins'],
  ['Export CSV', 'audit-export', 'admins'],
  ['Ask an admin', 'ask-admin', 'people'],
  ['Connect', 'connect', 'admins'],
  ['Disconnect', 'disconnect', 'admins'],
  ['Replace key', 'replace-key', 'admins'],
  ['Review', 'review', 'people'],
  ['Run again anyway', 'review-again', 'people'],
  ['Ask for changes', 'ask-for-changes', 'people'],
  ['Let the agent fix it', 'fix', 'people'],
  ['More filters', 'filters-more', 'people'],
  ['Delete a filter', 'delete-filter', 'admins'],
  ['More hooks', 'hooks-more', 'people'],
  ['Log of a hook', 'hook-log', 'people'],
  ['Again, of a delivery', 'hook-again', 'people'],
  ['Show what was given up', 'letters', 'admins'],
  ['Send again what was given up', 'letter-again', 'admins'],
  ['Discard what was given up', 'letter-discard', 'admins'],
  ['New hook', 'hook-new', 'admins'],
  ['GitHub webhook', 'github-new', 'admins'],
  ['New secret', 'hook-secret', 'admins'],
  ['Revoke the old secret', 'hook-revoke', 'admins'],
  ['Follow the runs of a hook, or not', 'hook-follow', 'admins'],
  ['Follow here, of what a hook began', 'run-follow', 'people'],
  ['Disable a hook', 'hook-disable', 'admins'],
  ['Enable a hook', 'hook-enable', 'admins'],
  ['Delete a hook', 'hook-delete', 'admins'],
  ['More automations', 'automations-more', 'people'],
  ['New automation', 'automation-new', 'admins'],
  ['More, in the form of an automation', 'automation-fields', 'admins'],
  ['Details of an automation', 'automation-details', 'people'],
  ['Follow the runs of an automation', 'automation-follow', 'admins'],
  ['Disable an automation', 'automation-disable', 'admins'],
  ['Enable an automation', 'automation-enable', 'admins'],
  ['Delete an automation', 'automation-delete', 'admins'],
  ['Restore an automation', 'automation-restore', 'admins'],
]

/** Buttons of the modals that show an agent's tasks, and its steps. */
const IN_MODALS: readonly (readonly [name: string, id: string])[] = [
  ['Another page of tasks', 'tasks-page'],
  ['Messages of a task', 'task-messages'],
  ['Other messages of a task', 'task-messages-page'],
  ['Follow a task', 'follow-task'],
  ['Steps', 'steps'],
  ['Earlier steps, and back to the newest', 'steps-page'],
]

/** What is filled in and sent off. */
const FORMS: readonly (readonly [name: string, id: string, who: Who])[] = [
  ['New work', 'start-form', 'asker'],
  ['Send to Bosun', 'send-form', 'asker'],
  ['An answer', 'answer', 'people'],
  ['What is to be different about a plan', 'plan-change', 'people'],
  ['Another answer to a question', 'choose-other', 'people'],
  ['An answer to what was watched', 'answer-watched', 'people'],
  ['Archive, of what works: how', 'archive', 'people'],
  ['A captain', 'captain-form', 'asker'],
  ['A question to a captain', 'captain-ask-form', 'asker'],
  ['A folder for work', 'file-form', 'people'],
  ['A name for a model', 'alias', 'admins'],
  ['A rule', 'rule', 'admins'],
  ['When a channel gets its digest', 'digest', 'admins'],
  ['A key', 'connect', 'admins'],
  ['What a key is for', 'connect-settings', 'admins'],
  ['A key in place of another', 'replace-key', 'admins'],
  ['A rule of reviews', 'review-rule', 'people'],
  ['Changes to a pull request', 'ask-for-changes', 'people'],
  ['A hook', 'hook', 'admins'],
  ['A webhook of GitHub', 'github-hook', 'admins'],
  ['An automation', 'automation', 'admins'],
  ['A message for an automation', 'automate', 'asker'],
]

const AT_HOME: readonly (readonly [name: string, event: string])[] = [
  ['App Home', 'home opened'],
  ['Direct messages with Bosun are opened', 'messages opened'],
  ['New task', 'press bosun:home-new'],
  ['Dismiss', 'press bosun:home-dismiss'],
  ['More, in App Home', 'press bosun:home-more'],
  ['How much one hears', 'press bosun:home-noise'],
  ['Direct messages', 'press bosun:home-dm'],
  ['Every working morning', 'press bosun:home-morning'],
  ['Default model', 'press bosun:home-model'],
  ['Default effort', 'press bosun:home-effort'],
  ['Default modes', 'press bosun:home-modes'],
  ['Default size', 'press bosun:home-size'],
]

export const ACTS: readonly Act[] = [
  ...COMMANDS.map(([name, who]): Act => {
    // Slack delivers what follows the command; nothing is a word, too.
    const event = name.includes(' ') ? name : `${name} `
    return {name, event, who, where: 'place'}
  }),
  ...IN_THREADS.map(([name, event, who]): Act => ({name, event, who, where: 'place'})),
  ...BUTTONS.map(([name, id, who]): Act => ({
    ...{name, event: `press bosun:${id}`, who},
    where: 'place',
  })),
  ...IN_MODALS.map(([name, id]): Act => ({
    ...{name, event: `press bosun:${id}`, who: 'people'},
    where: 'view',
  })),
  ...FORMS.map(([name, id, who]): Act => ({name, event: `form bosun:${id}`, who, where: 'view'})),
  ...AT_HOME.map(([name, event]): Act => ({name, event, who: 'everybody', where: 'home'})),
]
