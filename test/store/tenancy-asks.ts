import {Secret} from '../../src/security/secret.ts'
import type {Store} from '../../src/store/store.ts'
import {seedRule} from '../support/beside-work.ts'

/** What one workspace has; the other one has the same in everything that is not ours to choose. */
interface Mine {
  team: string
  linkId: string
  otherLinkId: string
  sendId: string
  notificationId: string
  startId: string
  announcementId: string
  connectionId: string
  inboxId: number
  hookId: string
  deliveryId: number
  runId: string
  agentPostId: string
  sharedFileId: string
  aliasId: string
  budgetNoteId: string
  ruleId: string
  alertId: string
}

const newHook = (team: string, name: string) => ({
  ...{team, channel: CHANNEL, name, automationId: undefined, madeBy: USER},
  ...{requestId: `${team}-${name}`, url: new Secret('https://a.example/webhooks/automations/x')},
})

const newTimetable = (
  {team, connectionId}: Pick<Mine, 'team' | 'connectionId'>,
  automationId: string,
) => ({
  ...{team, channel: CHANNEL, automationId, name: team, projectId: PROJECT, connectionId},
  ...{reference: team, schedules: [], isPrivate: true, momentMs: 1},
})

const DAY = '2026-01-31'
const newNote = ({team, linkId}: Pick<Mine, 'team' | 'linkId'>) => ({
  ...{team, linkId, budget: 'budgetPerChannelDay' as const, period: DAY},
  subject: {threadId: '', user: '', channel: CHANNEL},
  ...{limitMicros: 5, moreMicros: 5, isLoud: true, round: 0},
})

const FACTS = {
  ...{atMs: 1, replaced: [], reviews: [], mergedAtMs: 1},
  said: [{stage: 'open' as const, head: 'abcdef0', title: 'A title'}],
}
const LATER = {...FACTS, atMs: 2}
const SAID = {about: 'pull-request' as const, key: 'github.com/acme/web#1', facts: FACTS}
const COMMIT = {repo: 'github.com/acme/web', sha: 'abcdef0'}
const CHECK = {key: 'run::a', name: 'a', order: [1], outcome: 'passed' as const, url: ''}
const FRESH_DIGEST = {...{sinceMs: undefined, passed: undefined}, from: {untilMs: 1, dayMicros: 0}}
const WEEKLY = {every: 'week', weekday: 1, minute: 540, zone: 'UTC'} as const
const LINKED = {channel: 'C1', ts: '1.0'}
const TO_WORK = {url: 'https://app.example.com/t/a', about: 'work:a'}
const DAILY = {every: 'day', minute: 540, zone: 'UTC'} as const
const toldOn = (date: string) => ({
  ...{date, until: {untilMs: 4, dayMicros: 0}},
  announcement: {channel: CHANNEL, words: {date, sinceMs: 1, untilMs: 4}},
})

type Ask = (store: Store, mine: Mine) => Promise<unknown>

/** They belong to the process: rows of all workspaces are what they are for. */
export const PROCESS = 'process'

const CHANNEL = 'C1'
const USER = 'U1'
const THREAD = 'thread'
const PROJECT = 'project'
const SHARED = {name: 'b', mimetype: 'image/png', url: 'https://files.slack.com/f'}
const page = {limit: 50, from: undefined}
const by = {user: USER, nowMs: 5}
const newAlias = (name: string, modelId: string) => ({
  name,
  modelId,
  effort: 'high',
  modes: ['fast'],
})
const newRule = (name: string) => ({
  ...{name, app: 'A0SENTRY', pattern: 'x', does: 'start' as const, task: name},
  ...{dedupeKey: undefined, windowMinutes: 5, perHour: 1, perDay: 2},
  ...{quiet: {from: '22:00', to: '07:00', zone: 'UTC'}, person: USER},
})
const place = (team: string, slackThread = '1.0') => ({team, channel: CHANNEL, slackThread})
const newSend = ({linkId, team}: Mine, key = 'again') => ({
  ...{linkId, inboxKey: `${team}-${key}`, messageTs: '2.0', sender: USER, cursor: undefined},
  toText: (token: string) => token,
})

/** Every method of every store, asked by one workspace for what is its own. */
export const ASKS: {[Name in keyof Store]?: Record<string, Ask | typeof PROCESS>} = {
  links: {
    open: ({links}, {team}) =>
      links.open(
        {
          ...{place: place(team, '9.0'), requestId: `${team}-9`, projectId: PROJECT},
          ...{startedBy: USER, threadId: THREAD},
        },
        9,
      ),
    byId: ({links}, {linkId}) => links.byId(linkId),
    byPlace: ({links}, {team}) => links.byPlace(place(team)),
    inRoom: ({links}, {team}) => links.inRoom({team, channel: `room of ${team}`}),
    byRequest: ({links}, {team}) => links.byRequest(`${team}-9`),
    beginningOf: ({links}, {team}) => links.beginningOf({team, threadId: THREAD}),
    askOf: ({links}, {linkId}) => links.askOf(linkId),
    ofStarter: ({links}, {team}) => links.ofStarter({team, user: USER}, 0),
    live: PROCESS,
    atWork: ({links}, {team}) => links.atWork(team),
    change: ({links}, {linkId}) => links.change(linkId, {status: 'idle', state: 'archived'}),
    changeIf: ({links}, {linkId}) =>
      links.changeIf(linkId, {state: 'open', attempt: 0}, {state: 'archived'}),
    homeOf: ({links}, {team}) => links.homeOf({team, channel: CHANNEL}),
    setHome: ({links}, {team, linkId}) => links.setHome({team, channel: CHANNEL}, linkId),
    startOver: ({links}, {linkId}) => links.startOver(linkId, {state: 'starting'}),
  },
  posts: {
    unsettled: ({posts}, {linkId}) => posts.unsettled(linkId),
    ofDelivery: ({posts}, {linkId}) => posts.ofDelivery(linkId, 'd'),
    ofOrigin: ({posts}, {linkId}) => posts.ofOrigin(linkId, 'd'),
    knownTs: async ({posts}, {linkId}) => [...(await posts.knownTs(linkId))],
    linkAt: ({posts}, {team}) => posts.linkAt({team, channel: CHANNEL, ts: '3.0'}),
    intend: ({posts}, {linkId}) =>
      posts.intend(linkId, {key: 'say', delivery: 'd', draft: undefined}, 7),
    confirm: ({posts}, {linkId}) =>
      posts.confirm(linkId, {key: 'card', ts: '3.0', hash: 'h', final: true, draft: undefined}),
    endStream: ({posts}, {linkId}) => posts.endStream(linkId, 'card'),
    markGone: ({posts}, {linkId}) => posts.markGone(linkId, 'card'),
    forget: ({posts}, {linkId}) => posts.forget(linkId, 'card'),
  },
  handovers: {
    confessions: ({handovers}, {team}) => handovers.confessions(team),
    confess: ({handovers}, {team}) =>
      handovers.confess(team, {did: 'made', channel: CHANNEL, ts: '1.0'}, 1),
    absolve: ({handovers}, {team}) => handovers.absolve(team, 'c1'),
    isKept: ({handovers}, {team}) => handovers.isKept(team, {channel: CHANNEL, ts: '1.0'}),
    takePace: ({handovers}, {team}) => handovers.takePace(team),
    keepPace: ({handovers}, {team}) => handovers.keepPace(team, {left: {}}),
    isSought: ({handovers}, {team}) => handovers.isSought(team, {channel: CHANNEL}),
    silences: ({handovers}, {team}) => handovers.silences(team),
    keepSilence: ({handovers}, {team}) =>
      handovers.keepSilence(team, {method: 'chat.update', forMs: 5000}),
  },
  inbox: {
    add: ({inbox}, {team}) => inbox.add({team: 'T1', key: `${team}-x`, lane: 'l', body: '{}'}, 1),
    due: PROCESS,
    nextDueAtMs: PROCESS,
    byKey: ({inbox}, {team}) => inbox.byKey(`${team}-row`),
    done: ({inbox}, {inboxId}) => inbox.done(inboxId),
    fail: ({inbox}, {inboxId}) => inbox.fail(inboxId),
    postpone: ({inbox}, {inboxId}) => inbox.postpone(inboxId, 99),
    handledBefore: ({inbox}, {inboxId}) => inbox.handledBefore({id: inboxId + 1, lane: 'l'}),
    newestIn: ({inbox}, {team}) => inbox.newestIn(team),
    isOpen: ({inbox}) => inbox.isOpen('l'),
    reopen: ({inbox}, {inboxId}) => inbox.reopen(inboxId, '{}'),
    tell: ({inbox}, {inboxId}) => inbox.tell(inboxId, 'wait'),
    kindsSince: async ({inbox}, {team}) => [...(await inbox.kindsSince(team, 0))],
  },
  sends: {
    open: ({sends}, mine) => sends.open(newSend(mine), 3),
    byId: ({sends}, {sendId}) => sends.byId(sendId),
    unsure: ({sends}, {linkId}) => sends.unsure(linkId),
    waiting: ({sends}, {linkId}) => sends.waiting(linkId),
    ofMessage: ({sends}, {linkId}) => sends.ofMessage(linkId, '2.0'),
    fixes: ({sends}, {linkId, team}) =>
      sends.fixes({id: linkId, threadId: THREAD, place: place(team)}),
    reword: ({sends}, {sendId}) => sends.reword(sendId, 'other'),
    rejectModel: ({sends}, {sendId}) => sends.rejectModel(sendId, {candidates: []}),
    remodel: ({sends}, {sendId}) => sends.remodel(sendId, {modelId: 'm'}, 9),
    replace: ({sends}, mine) => sends.replace(mine.sendId, newSend(mine, 'instead'), 4),
    firstSince: ({sends}, {linkId}) => sends.firstSince(linkId, 0),
    cursorsOf: ({sends}, {linkId}) => sends.cursorsOf(linkId),
    ofEntryElsewhere: PROCESS,
    held: ({sends}, {linkId}) => sends.held(linkId),
    hasLate: ({sends}, {linkId}) => sends.hasLate(linkId),
    admit: ({sends}, {sendId}) => sends.admit(sendId, 'sent', 'receipt 2'),
    release: ({sends}, {sendId}) => sends.release(sendId, ['held'], 'unsent', 9),
    ofEntry: ({sends}, {linkId}) => sends.ofEntry(linkId, {id: 'receipt', text: 'x'}),
    arrive: ({sends}, {sendId}) => sends.arrive(sendId),
    move: ({sends}, {sendId}) => sends.move(sendId, ['waiting'], 'unsure'),
  },
  marks: {
    of: ({marks}, {linkId}) => marks.of(linkId),
    put: ({marks}, {linkId}) => marks.put(linkId, [{name: 'eyes', isIntended: false}]),
    unsettled: ({marks}, {team}) => marks.unsettled(team, [], {sinceMs: 0, most: 9}),
  },
  stops: {
    together: ({stops}, {linkId}) => stops.together(linkId),
    begin: ({stops}, {linkId}) => stops.begin(linkId, {inboxId: 9, by: USER, atMs: 9}),
    newest: ({stops}, {linkId}) => stops.newest(linkId),
    firstAfter: ({stops}, {linkId}) => stops.firstAfter(linkId, 0),
    answered: ({stops}, {linkId}) => stops.answered(linkId, 9),
    late: ({stops}, {linkId}) => stops.late(linkId),
    settle: async ({stops}, {linkId}) => stops.settle(await stops.late(linkId)),
  },
  people: {
    matchOf: ({people}, {team, connectionId}) => people.matchOf({team, user: USER}, connectionId),
    keepMatch: ({people}, {team}) =>
      people.keepMatch({team, user: USER}, undefined, {platformUser: 'p2', lookedAtMs: 9}),
  },
  starts: {
    open: ({starts}, {team}) =>
      starts.open({requestId: `${team}-s2`, team, user: USER, request: {}}, 2),
    byId: ({starts}, {startId}) => starts.byId(startId),
    keepRequest: ({starts}, {startId}) => starts.keepRequest(startId, {other: 1}),
    take: ({starts}, {startId}) => starts.take(startId, 'k'),
    release: ({starts}, {startId}) => starts.release(startId),
    byRequest: ({starts}, {team}) => starts.byRequest(`${team}-s`),
    drop: ({starts}, {startId}) => starts.drop(startId),
  },
  notifications: {
    byId: ({notifications}, {notificationId}) => notifications.byId(notificationId),
    ofLink: ({notifications}, {linkId}) => notifications.ofLink(linkId),
    asking: async ({notifications}, {linkId}) => [...(await notifications.asking([linkId]))],
    placeOf: ({notifications}, {team}) => notifications.placeOf({team, threadId: THREAD}),
    add: ({notifications}, {linkId}) =>
      notifications.add(
        {linkId, key: 'm', kind: 'needs-you', person: USER, words: {}, remindAtMs: undefined},
        1,
      ),
    end: ({notifications}, {notificationId}) => notifications.end(notificationId, 'answered', USER),
    reopen: ({notifications}, {notificationId}) =>
      notifications.reopen({id: notificationId, words: {}, remindAtMs: 99}),
    keepAnswer: ({notifications}, {notificationId}) =>
      notifications.keepAnswer(notificationId, {by: USER, text: 'yes'}),
    due: PROCESS,
    nextDueAtMs: PROCESS,
    remind: async ({notifications}, {notificationId}) => {
      const notification = await notifications.byId(notificationId)
      return notification && notifications.remind(notification, 99)
    },
    snooze: ({notifications}, {notificationId}) => notifications.snooze(notificationId, 77),
  },
  choices: {
    of: ({choices}, {team}) => choices.of({team, user: USER}),
    change: ({choices}, {team}) => choices.change({team, user: USER}, {dm: 'no'}),
    onPlatform: ({choices}, {team}) => choices.onPlatform({team, user: USER}),
  },
  lists: {
    inChannel: ({lists}, {team}) =>
      lists.inChannel({team, channel: CHANNEL}, {statuses: ['active'], unneeded: []}, page),
    changedIn: ({lists}, {team}) =>
      lists.changedIn(
        {team, channel: CHANNEL},
        {statuses: ['active'], unneeded: []},
        {sinceMs: 0, limit: 50},
      ),
    ofStarter: ({lists}, {team}) => lists.ofStarter({team, user: USER}, page),
    captains: ({lists}, {team}) => lists.captains({team, connectionId: undefined}),
    openOfThread: PROCESS,
    archives: ({lists}, {team}) => lists.archives([team]),
    archivedOf: ({lists}, {team, connectionId}) =>
      lists.archivedOf({
        teams: [team],
        project: {projectId: PROJECT, connectionId},
        threadIds: [THREAD],
      }),
    toSearch: ({lists}, {team}) => lists.toSearch({team, channel: CHANNEL, user: USER}, page),
    ofThread: ({lists}, {team}) =>
      lists.ofThread({team, channel: CHANNEL, threadId: THREAD, taskId: undefined}),
    namersIn: ({lists}, {team}) => lists.namersIn({team, channel: CHANNEL, key: SAID.key}),
    ofThreads: ({lists}, {team}) => lists.ofThreads({team, threadIds: [THREAD]}),
  },
  // A direct message of one workspace is private to all of them.
  origins: {
    ...{begin: PROCESS, settle: PROCESS, hasBegun: PROCESS, underway: PROCESS, of: PROCESS},
    ...{isUnderway: PROCESS, keepAutomation: PROCESS, ofAutomations: PROCESS},
  },
  watches: {
    add: ({watches}, {team, connectionId}) =>
      watches.add({team, channel: 'C2', projectId: PROJECT, connectionId, madeBy: USER}, 1),
    ofChannel: ({watches}, {team}) => watches.ofChannel(team, CHANNEL),
    channelsOf: PROCESS,
    projects: PROCESS,
    remove: ({watches}, {team}) => watches.remove({team, channel: CHANNEL}),
  },
  sightings: {
    ofProject: ({sightings}, {connectionId}) =>
      sightings.ofProject({projectId: PROJECT, connectionId}),
    record: async ({sightings}, {connectionId}) => {
      const project = {projectId: PROJECT, connectionId}
      const standing = new Map([['fresh', {status: 'failed', words: {title: 'Fresh'}}]])
      const changed = [{threadId: THREAD, status: 'active', times: 1}]
      await sightings.record(
        project,
        {changed, ended: new Map(), standing, changedAtMs: new Map()},
        () => true,
        5,
      )
      const ended = new Map([[THREAD, 'over' as const]])
      return sightings.record(
        project,
        {changed: [], ended, standing: new Map(), changedAtMs: new Map()},
        () => true,
        6,
      )
    },
  },
  announcements: {
    open: ({announcements}, {team, connectionId}) =>
      announcements.open(
        {id: `${team}-head`, team, channel: CHANNEL, threadId: THREAD, connectionId, words: {}},
        1,
      ),
    byId: ({announcements}, {announcementId}) => announcements.byId(announcementId),
    headAt: ({announcements}, {team}) => announcements.headAt({team, channel: CHANNEL, ts: '4.0'}),
    found: PROCESS,
    leftBehind: PROCESS,
    welcome: ({announcements}, {team}) => announcements.welcome({team, channel: 'C0NEW'}, {}, 3),
    refuseKey: ({announcements}, {team, connectionId}) =>
      announcements.refuseKey(connectionId, [{team, channel: CHANNEL}], 3),
    keyRefusedAtMs: ({announcements}, {connectionId}) => announcements.keyRefusedAtMs(connectionId),
    acceptKey: ({announcements}, {connectionId}) => announcements.acceptKey(connectionId, 'over'),
    word: ({announcements}, {connectionId}) =>
      announcements.word({threadId: THREAD, status: 'failed', connectionId}, {said: 'mine'}),
    due: ({announcements}, {team}) => announcements.due(team, 9),
    nextDueAtMs: ({announcements}, {team}) => announcements.nextDueAtMs(team, 0),
    intend: async ({announcements}, {announcementId}) => {
      const drawn = await announcements.byId(announcementId)
      return drawn && announcements.intend(drawn)
    },
    move: ({announcements}, {announcementId}) =>
      announcements.move(announcementId, 'placed', '4.0'),
    close: async ({announcements}, {announcementId}) => {
      const drawn = await announcements.byId(announcementId)
      return drawn && announcements.close(drawn)
    },
    end: ({announcements}, {announcementId}) =>
      announcements.end(announcementId, 'over', {answer: 'x'}),
  },
  connections: {
    add: ({connections}, {team}) =>
      connections.add({team, label: 'two', key: new Secret('key-two'), madeBy: USER}, 2),
    ofTeam: ({connections}, {team}) => connections.ofTeam(team),
    byId: ({connections}, {connectionId}) => connections.byId(connectionId),
    replaceKey: ({connections}, {connectionId}) =>
      connections.replaceKey(connectionId, new Secret('another'), USER),
    refuse: ({connections}, {connectionId}) => connections.refuse(connectionId),
    mend: ({connections}, {connectionId}) => connections.mend(connectionId),
    remove: ({connections}, {connectionId}) => connections.remove(connectionId),
    reload: ({connections}) => connections.reload(),
    keyOf: async ({connections}, {connectionId}) => connections.keyOf(connectionId)?.reveal(),
  },
  bindings: {
    of: ({bindings}, {team}) => bindings.of(team, CHANNEL),
    read: ({bindings}, {team}) => bindings.read(team, CHANNEL),
    replace: ({bindings}, {team}) =>
      bindings.replace({team, channel: CHANNEL}, {noise: 'quiet'}, {...by, sinceMs: undefined}),
    change: ({bindings}, {team}) => bindings.change({team, channel: CHANNEL}, {noise: 'quiet'}, by),
    remove: ({bindings}, {team}) => bindings.remove(team, CHANNEL),
    originOf: ({bindings}, {team}) => bindings.originOf(team, CHANNEL),
    withConnection: ({bindings}, {team, connectionId}) =>
      bindings.withConnection(team, connectionId),
  },
  installs: {
    keep: ({installs}, {team}) =>
      installs.keep({
        ...{id: team, botUserId: 'B', installedBy: USER, installedAtMs: 2},
        installation: `{"of":"${team}"}`,
      }),
    change: ({installs}, {team}) => installs.change(team, () => `{"of":"${team}"}`),
    byId: ({installs}, {team}) => installs.byId(team),
    all: PROCESS,
    end: ({installs}, {team}) =>
      installs.end({id: team, installedAtMs: 1}, () => ({teams: [team], stays: undefined})),
    letGo: ({installs}, {team}) => installs.letGo(team),
  },
  audit: {
    add: ({audit}, {team}) =>
      audit.add({
        ...{team, channel: CHANNEL, user: USER, act: 'x', about: undefined},
        ...{outcome: 'done', atMs: 3},
      }),
    addOnce: ({audit}, {team}) =>
      audit.addOnce(
        {
          ...{team, channel: CHANNEL, user: USER, act: 'x', about: undefined},
          ...{outcome: 'done', atMs: 3},
        },
        0,
      ),
    ofTeam: ({audit}, {team}) => audit.ofTeam(team, {limit: 50}),
  },
  folders: {
    of: ({folders}, {team, connectionId}) => folders.of({team, connectionId}),
    add: ({folders}, {team, connectionId}) =>
      folders.add({team, connectionId}, {id: 'folder', name: team}, by),
    forget: ({folders}, {team, connectionId}) => folders.forget({team, connectionId}, 'folder'),
  },
  sharedFiles: {
    keep: ({sharedFiles}, {team}) => {
      const file = {team, requestId: `${team}-9`, user: USER, slackFile: 'F2'}
      return sharedFiles.keep([{...file, ...SHARED}], 3)
    },
    byId: ({sharedFiles}, {sharedFileId}) => sharedFiles.byId(sharedFileId),
  },
  models: {
    aliases: ({models}, {team, connectionId}) => models.aliases({team, connectionId}),
    alias: async ({models}, {aliasId}) => models.alias(aliasId),
    name: ({models}, {team, connectionId}) =>
      models.name({team, connectionId}, newAlias('fast', team), {...by, sinceMs: undefined}),
    unname: ({models}, {aliasId}) => models.unname(aliasId, by.nowMs),
    known: ({models}, {team, connectionId}) => models.known({team, connectionId}),
    meet: ({models}, {team, connectionId}) =>
      models.meet({team, connectionId}, [{modelId: 'met', name: team}], 9),
  },
  rules: {
    ofChannel: ({rules}, {team}) => rules.ofChannel({team, channel: CHANNEL}),
    ofTeam: ({rules}, {team}) => rules.ofTeam(team),
    byId: ({rules}, {ruleId}) => rules.byId(ruleId),
    appsIn: ({rules}, {team}) => rules.appsIn({team, channel: CHANNEL}),
    add: ({rules}, {team}) => rules.add(`${team}-two`, {team, channel: CHANNEL}, newRule(team), by),
    change: ({rules}, {ruleId, team}) => rules.change(ruleId, newRule(team), {...by, sinceMs: 2}),
    turn: ({rules}, {ruleId}) => rules.turn(ruleId, false, {...by, sinceMs: 2}),
    remove: ({rules}, {ruleId}) => rules.remove(ruleId, 2),
  },
  alerts: {
    decide: async ({alerts, rules}, {team, ruleId}) => {
      const rule = await rules.byId(ruleId)
      if (rule === undefined) return undefined
      return alerts.decide(
        {team, channel: CHANNEL, ts: '6.0'},
        {
          ...{rule, keyHash: 'other', nowMs: 9, user: 'nobody'},
          judge: () => 'start',
          isAbout: () => false,
          wish: {rule: {id: ruleId, name: team}, task: team, values: {}, app: 'a', text: 't'},
          toRow: (id) => ({key: `${team}-${id}`, team, lane: team, body: '{}'}),
        },
      )
    },
    byId: ({alerts}, {alertId}) => alerts.byId(alertId),
    take: ({alerts}, {alertId}) => alerts.take(alertId, 'press'),
    release: ({alerts}, {alertId}) => alerts.release(alertId),
    settle: ({alerts}, {alertId}) => alerts.settle(alertId),
    counts: async ({alerts}, {team}) => [...(await alerts.counts(team, 0))],
    works: ({alerts}, {team}) => alerts.works(team),
  },
  agentPosts: {
    add: ({agentPosts}, {linkId}) =>
      agentPosts.add(
        {linkId, key: 'k', digest: 'd', text: 'mine', file: undefined},
        {most: 5, sinceMs: 0},
        4,
      ),
    byId: ({agentPosts}, {agentPostId}) => agentPosts.byId(agentPostId),
    expect: ({agentPosts}, {linkId}) =>
      agentPosts.expect({linkId, key: 'first'}, {most: 5, sinceMs: 0}),
    due: ({agentPosts}, {team}) => agentPosts.due(team),
    intend: ({agentPosts}, {agentPostId}) => agentPosts.intend(agentPostId, 'F1'),
    confirm: ({agentPosts}, {agentPostId}) => agentPosts.confirm(agentPostId),
    want: ({agentPosts}, {agentPostId}) => agentPosts.want(agentPostId),
    refuse: ({agentPosts}, {agentPostId}) => agentPosts.refuse(agentPostId, 'is_archived'),
    tell: ({agentPosts}, {agentPostId}) => agentPosts.tell(agentPostId),
    end: ({agentPosts}, {agentPostId}) => agentPosts.end(agentPostId),
  },
  questions: {
    byId: ({questions}, {agentPostId}) => questions.byId(agentPostId),
    place: ({questions}, {agentPostId}) => questions.place(agentPostId, '8.0'),
    take: ({questions}, {agentPostId, linkId}) =>
      questions.take({id: agentPostId, linkId}, {inboxKey: 'press', user: USER, answer: 'Yes'}, 4),
    answered: ({questions}, {agentPostId}) => questions.answered(agentPostId, 'press', '8.0'),
    due: ({questions}, {team}) => questions.due(team),
    release: ({questions}, {agentPostId}) => questions.release(agentPostId, 'press'),
    unsent: ({questions}, {agentPostId}) => questions.unsent(agentPostId, 'press', '8.0'),
    shown: ({questions}, {agentPostId}) =>
      questions.shown({id: agentPostId, state: 'answered', takenBy: 'press'}),
  },
  usedStates: {use: PROCESS},
  retention: {
    forgetInbox: PROCESS,
    forgetLinks: PROCESS,
    forgetAnnouncements: PROCESS,
    forgetStarts: PROCESS,
    forgetDigests: PROCESS,
    forgetExecutions: PROCESS,
    forgetUnfurls: PROCESS,
    forgetHandovers: PROCESS,
    forgetPullRequests: PROCESS,
    forgetAudit: PROCESS,
    forgetReceipts: PROCESS,
    forgetSpendings: PROCESS,
    forgetDeliveries: PROCESS,
    forgetDeadLetters: PROCESS,
    forgetRuns: PROCESS,
    forgetAlerts: PROCESS,
    forgetAgentPosts: PROCESS,
  },
  hooks: {
    add: ({hooks}, {team}) => hooks.add(newHook(team, 'two'), 2),
    byId: ({hooks}, {hookId}) => hooks.byId(hookId),
    byRequest: ({hooks}, {team}) => hooks.byRequest(`${team}-two`),
    ofChannel: ({hooks}, {team}) => hooks.ofChannel(team, CHANNEL),
    reload: ({hooks}) => hooks.reload(),
    secretsOf: ({hooks}, {hookId}) => hooks.secretsOf(hookId),
    switch: ({hooks}, {hookId}) => hooks.switch(hookId, 'off'),
    follow: ({hooks}, {hookId}) => hooks.follow(hookId, true),
    heard: ({hooks}, {hookId}) => hooks.heard(hookId, 99_999_999),
    rotate: ({hooks}, {hookId}) => hooks.rotate(hookId, 0, 9),
    revokeFormers: ({hooks}, {hookId}) => hooks.revokeFormers(hookId, 0),
    remove: ({hooks}, {hookId}) => hooks.remove(hookId),
  },
  deliveries: {
    add: ({deliveries}, {team, hookId}) =>
      deliveries.add({hookId, team, key: 'two', sentKey: 'two', body: 'b'}, 2),
    receive: ({deliveries}, {team, hookId}) =>
      deliveries.receive({hookId, team, key: 'three', sentKey: 'three', body: 'b'}, 2, {
        perMinute: 9,
        signal: new AbortController().signal,
      }),
    byId: ({deliveries}, {deliveryId}) => deliveries.byId(deliveryId),
    bodyOf: ({deliveries}, {deliveryId}) => deliveries.bodyOf(deliveryId),
    log: ({deliveries}, {hookId}) => deliveries.log(hookId, {limit: 9, beforeId: undefined}),
    due: PROCESS,
    nextDueAtMs: PROCESS,
    attempt: ({deliveries}, {deliveryId}) => deliveries.attempt(deliveryId, undefined),
    postpone: ({deliveries}, {deliveryId}) => deliveries.postpone(deliveryId, 9),
    settle: ({deliveries}, {deliveryId}) =>
      deliveries.settle(deliveryId, 'accepted', {channel: CHANNEL, name: 'n'}, 3),
  },
  queues: {inbox: PROCESS, sends: PROCESS, hooks: PROCESS},
  spendings: {
    count: ({spendings}, {team}) =>
      spendings.count({
        ...{team, threadId: THREAD, channel: CHANNEL, user: USER, day: DAY},
        ...{micros: 50, nowMs: 5},
      }),
    spent: ({spendings}, {team}) =>
      spendings.spent({team, threadId: THREAD, user: USER, channel: CHANNEL}, undefined),
    costing: ({spendings}, {team}) =>
      spendings.costing([team], {statuses: ['active'], putAwaySinceMs: 0}),
  },
  budgetNotes: {
    byId: ({budgetNotes}, {budgetNoteId}) => budgetNotes.byId(budgetNoteId),
    ofLink: ({budgetNotes}, {linkId}) => budgetNotes.ofLink(linkId),
    raised: ({budgetNotes}, mine) => budgetNotes.raised(newNote(mine)),
    near: ({budgetNotes}, mine) => budgetNotes.near(newNote(mine), 5),
    stop: ({budgetNotes}, mine) => budgetNotes.stop(newNote(mine), 50, 5),
    refuse: ({budgetNotes}, mine) => budgetNotes.refuse(newNote(mine), 5),
    settle: ({budgetNotes}, {budgetNoteId}) => budgetNotes.settle(budgetNoteId, {state: 'past'}, 5),
    raise: ({budgetNotes}, {budgetNoteId}) =>
      budgetNotes.raise(budgetNoteId, {user: USER, micros: 5, nowMs: 6}),
  },
  pullRequests: {
    hear: ({pullRequests}, {hookId}) => pullRequests.hear(hookId, {...SAID, facts: LATER}, 9),
    factsOf: ({pullRequests}, {team}) => pullRequests.factsOf(team, [SAID.key]),
    checksOf: ({pullRequests}, {team}) => pullRequests.checksOf(team, COMMIT),
    isNamed: ({pullRequests}, {team}) => pullRequests.isNamed(team, [SAID.key]),
    namers: ({pullRequests}, {team}) => pullRequests.namers(team, SAID.key),
    mergedIn: ({pullRequests}, {team}) =>
      pullRequests.mergedIn({team, channel: CHANNEL}, {sinceMs: 0, untilMs: 9}),
    unheeded: ({pullRequests}, {team}) => pullRequests.unheeded([team]),
    unshown: ({pullRequests}, {linkId}) => pullRequests.unshown(linkId),
    heeded: async ({pullRequests}, {linkId}) =>
      pullRequests.heeded(await pullRequests.unshown(linkId)),
    shown: async ({pullRequests}, {linkId}) =>
      pullRequests.shown(await pullRequests.unshown(linkId)),
  },
  deadLetters: {
    count: ({deadLetters}, {hookId}) => deadLetters.count([hookId]),
    list: ({deadLetters}, {hookId}) => deadLetters.list([hookId], {limit: 9, beforeId: undefined}),
    sendAgain: ({deadLetters}, {deliveryId}) => deadLetters.sendAgain(deliveryId, 'again', 4),
    discard: ({deadLetters}, {deliveryId}) => deadLetters.discard(deliveryId),
  },
  runs: {
    byId: ({runs}, {runId}) => runs.byId(runId),
    due: ({runs}, {team}) => runs.due([team], 9_999_999),
    nextDueAtMs: ({runs}, {team}) => runs.nextDueAtMs([team], 0),
    ofAutomation: ({runs}, {team}) =>
      runs.ofAutomation({team, channel: CHANNEL, automationId: 'a'}, 5),
    namesOf: ({runs}, {team}) => runs.namesOf({team, threadIds: [THREAD, 't']}),
    drop: ({runs}, {runId}) => runs.drop(runId),
    later: ({runs}, {runId}) => runs.later(runId, 9, true),
    found: ({runs}, {runId}) => runs.found(runId, {id: 't', title: undefined}, 9),
  },
  timetables: {
    add: ({timetables}, {team, connectionId}) =>
      timetables.add(newTimetable({team, connectionId}, 'another')),
    of: ({timetables}, {team}) => timetables.of({team, channel: CHANNEL, automationId: 'a'}),
    ofChannel: ({timetables}, {team}) => timetables.ofChannel(team, CHANNEL),
    follow: ({timetables}, {team}) =>
      timetables.follow({team, channel: CHANNEL, automationId: 'a'}, USER),
    due: ({timetables}, {team}) => timetables.due([team], 9_999_999),
    nextDueAtMs: ({timetables}, {team}) => timetables.nextDueAtMs([team]),
    later: async ({timetables}, {team}) => {
      const [one] = await timetables.ofChannel(team, CHANNEL)
      return timetables.later(one?.id ?? '', 9, true)
    },
    advance: async ({timetables}, {team}) => {
      const [one] = await timetables.ofChannel(team, CHANNEL)
      const found = {threadId: `by-schedule-of-${team}`, title: team, begunAtMs: 5}
      if (one !== undefined) await timetables.advance(one, [found], 9, 9)
    },
  },
  digests: {
    of: ({digests}, {team}) => digests.of({team, target: CHANNEL}),
    ofTeam: ({digests}, {team}) => digests.ofTeam(team),
    daysSince: async ({digests}, {team}) => [...(await digests.daysSince(team, DAY))],
    lastTold: async ({digests}, {team}) => {
      const digest = await digests.of({team, target: CHANNEL})
      return digest && digests.lastTold(digest, 9)
    },
    choose: ({digests}, {team}) =>
      digests.choose({team, target: CHANNEL}, DAILY, {...FRESH_DIGEST, sinceMs: 1, passed: DAY}),
    move: ({digests}, {team}) => digests.move({team, target: CHANNEL}, 'Asia/Seoul'),
    end: ({digests}, {team}) => digests.end({team, target: CHANNEL}),
    tell: async ({digests}, {team}) => {
      const digest = await digests.of({team, target: CHANNEL})
      return digest && digests.tell(digest, toldOn('2026-02-01'), 5)
    },
    refuse: ({digests}, {team}) => digests.refuse({team, target: CHANNEL}, DAY, 'is_archived'),
    refused: ({digests}, {team}) => digests.refused(team),
  },
  executions: {
    take: ({executions}, {team}) =>
      executions.take(stepOf(team, 'another'), {most: 5, sinceMs: 0, full: {error: 'x'}, nowMs: 9}),
    end: ({executions}, {team}) => executions.end(stepOf(team).id, {error: team}),
    told: ({executions}, {team}) => executions.told(stepOf(team).id, 9),
    untold: ({executions}, {team}) => executions.untold(team),
  },
  unfurls: {
    note: ({unfurls}, {team}) => unfurls.note({team, ...LINKED}, [TO_WORK], 5),
    ofTeam: ({unfurls}, {team}) => unfurls.ofTeam(team, 0),
    about: ({unfurls}, {team}) => unfurls.about(team, [TO_WORK.about], 0),
    of: ({unfurls}, {team}) => unfurls.of({team, ...LINKED}),
    shown: async ({unfurls}, {team}) => {
      const [one] = await unfurls.of({team, ...LINKED})
      if (one !== undefined) await unfurls.shown([{...one, shown: team}])
    },
    drop: async ({unfurls}, {team}) => unfurls.drop(await unfurls.of({team, ...LINKED})),
  },
  rooms: {
    begin: ({rooms}, {team, linkId}) =>
      rooms.begin({team, threadId: THREAD, linkId, origin: CHANNEL}, 2),
    of: ({rooms}, {team}) => rooms.of({team, threadId: THREAD}),
    at: ({rooms}, {team}) => rooms.at({team, channel: `room of ${team}`}),
    isMaking: ({rooms}, {team}) => rooms.isMaking(team, 0),
    made: ({rooms}, {team}) => rooms.made({team, threadId: THREAD}, `other room of ${team}`),
    drop: ({rooms}, {team}) => rooms.drop({team, threadId: THREAD}),
    open: ({rooms}, {team}) => rooms.open({team, threadId: THREAD}, '9.9'),
    move: ({rooms}, {linkId}) => rooms.move(linkId, 'c', 9),
    note: ({rooms}, {team}) => rooms.note({team, threadId: THREAD}, {isClosed: true, shown: '{}'}),
    unopened: ({rooms}, {team}) => rooms.unopened(team),
    standing: async ({rooms}, {team}) => (await rooms.standing(team)).map(({id}) => id),
    support: ({rooms}, {team}) => rooms.support(team),
    noteSupport: ({rooms}, {team}) => rooms.noteSupport(team, false, 9),
  },
  barredChannels: {
    isBarred: ({barredChannels}, {team}) => barredChannels.isBarred({team, channel: CHANNEL}),
    bar: ({barredChannels}, {team}) => barredChannels.bar({team, channel: 'C2'}, 9),
    allow: ({barredChannels}, {team}) => barredChannels.allow({team, channel: CHANNEL}),
  },
  roomViews: {
    of: ({roomViews}, {linkId}) => roomViews.of(linkId),
    put: ({roomViews}, {linkId, team}) =>
      roomViews.put(linkId, {kind: 'diff', name: 'x.diff', content: team}, 9),
    contentOf: ({roomViews}, {linkId}) => roomViews.contentOf(linkId, {kind: 'html', name: 'a'}),
    settle: async ({roomViews}, {linkId}) => {
      const [view] = await roomViews.of(linkId)
      if (view !== undefined) await roomViews.settle(linkId, view)
    },
  },
  uses: {
    atWork: ({uses}, {connectionId}) => uses.atWork(connectionId),
    channels: ({uses}, {connectionId}) => uses.channels(connectionId),
    watches: ({uses}, {connectionId}) => uses.watches(connectionId),
    begunSince: ({uses}, {team}) => uses.begunSince({team}, 0),
  },
}

const stepOf = (team: string, name = 'first') => ({
  ...{id: `Fx-${name}-of-${team}`, team, channel: CHANNEL, requestId: `workflow:${team}:${name}`},
})

/** Makes what a workspace has. */
export async function seed(store: Store, team: string): Promise<Mine> {
  const key = new Secret(`key-of-${team}`)
  const connection = await store.connections.add({team, label: team, key, madeBy: USER}, 1)
  const connectionId = connection.id
  const open = (slackThread: string) =>
    store.links.open(
      {
        ...{place: place(team, slackThread), requestId: `${team}-${slackThread}`, connectionId},
        ...{projectId: PROJECT, startedBy: USER, title: `of ${team}`},
        ...(slackThread === '1.0' && {threadId: THREAD}),
      },
      1,
    )
  const {id: linkId} = await open('1.0')
  const {id: otherLinkId} = await open('2.0')
  const mine = {team, linkId, otherLinkId, connectionId}
  await store.links.change(linkId, {status: 'active'})
  await store.posts.intend(linkId, {key: 'card', delivery: 'd', draft: undefined}, 1)
  await store.posts.confirm(linkId, {
    ...{key: 'card', ts: '3.0', hash: 'h', final: false, draft: undefined},
  })
  const {send} = await store.sends.open(newSend({...mine} as Mine, 'first'), 2)
  await store.sends.move(send.id, ['open'], 'waiting', 'receipt')
  const notification = await store.notifications.add(
    {linkId, key: 'n', kind: 'needs-you', person: USER, words: {question: team}, remindAtMs: 5},
    1,
  )
  const start = await store.starts.open(
    {requestId: `${team}-s`, team, user: USER, request: {of: team}},
    1,
  )
  await store.watches.add(
    {team, channel: CHANNEL, projectId: PROJECT, connectionId, madeBy: USER},
    1,
  )
  const project = {projectId: PROJECT, connectionId}
  const standing = new Map(
    ['elsewhere', 'somewhere'].map((id) => [id, {status: 'failed', words: {title: team}}] as const),
  )
  const changed = [...standing.keys()].map((id) => ({threadId: id, status: 'failed', times: 2}))
  await store.sightings.record(
    project,
    {changed, ended: new Map(), standing, changedAtMs: new Map()},
    () => true,
    2,
  )
  await store.announcements.open(
    {
      id: `${team}-told`,
      team,
      channel: CHANNEL,
      threadId: THREAD,
      connectionId,
      words: {title: team},
    },
    1,
  )
  await store.bindings.change({team, channel: CHANNEL}, {connectionId, projectId: PROJECT}, by)
  await store.choices.change({team, user: USER}, {noise: 'verbose'})
  await store.people.keepMatch({team, user: USER}, undefined, {platformUser: team, lookedAtMs: 1})
  await store.installs.keep({
    ...{id: team, botUserId: 'B', installedBy: USER, installedAtMs: 1},
    installation: `{"of":"${team}"}`,
  })
  await store.audit.add({
    ...{team, channel: CHANNEL, user: USER, act: 'x', about: team, outcome: 'done', atMs: 1},
  })
  const posted = await store.agentPosts.add(
    {
      ...{linkId, key: 'first', digest: team, text: team, file: undefined},
      question: {text: team, options: ['Yes', 'No']},
    },
    {most: 5, sinceMs: 0},
    1,
  )
  const [shared] = await store.sharedFiles.keep(
    [{team, requestId: `${team}-9`, user: USER, slackFile: team, ...SHARED}],
    1,
  )
  const spent = {team, threadId: THREAD, channel: CHANNEL, user: USER, day: DAY}
  await store.spendings.count({...spent, micros: 5, nowMs: 1})
  const note = await store.budgetNotes.stop(newNote(mine), 1, 0)
  await store.folders.add({team, connectionId}, {id: 'kept', name: team}, by)
  const shelf = {team, connectionId}
  await store.models.name(shelf, newAlias('best', team), {...by, sinceMs: undefined})
  await store.models.meet(shelf, [{modelId: team}], 1)
  const [alias] = await store.models.aliases(shelf)
  await store.inbox.add({team: 'T1', key: `${team}-row`, lane: team, body: `{"team":"${team}"}`}, 1)
  const row = await store.inbox.byKey(`${team}-row`)
  const ruled = await seedRule(store, {team, channel: CHANNEL, ts: '5.0', user: USER})
  const {id: hookId} = await store.hooks.add(newHook(team, 'one'), 1)
  await store.pullRequests.hear(hookId, SAID, 1)
  const checked = {about: 'checks' as const, ...COMMIT, checks: {runs: [CHECK]}}
  await store.pullRequests.hear(hookId, checked, 1)
  await store.links.change(linkId, {pullRequest: 'https://github.com/acme/web/pull/1'})
  const fixed = {...newSend({...mine} as Mine), inboxKey: `["fix","${team}","${THREAD}"]`}
  await store.sends.open(fixed, 2)
  const delivered = {hookId, team, key: 'one', sentKey: `of ${team}`, body: `sealed of ${team}`}
  await store.deliveries.add(delivered, 1)
  const [delivery] = await store.deliveries.log(hookId, {limit: 1, beforeId: undefined})
  await store.deliveries.add({...delivered, key: 'ran'}, 1)
  const [ran] = await store.deliveries.log(hookId, {limit: 1, beforeId: undefined})
  const ranId = ran?.id ?? 0
  await store.deliveries.attempt(ranId, {
    ...{channel: CHANNEL, automationId: 'a', name: team, reference: team},
    ...{projectId: PROJECT, connectionId, isPrivate: false, begunAtMs: 1},
  })
  await store.deliveries.settle(ranId, 'accepted', undefined, 1)
  await store.timetables.add(newTimetable({team, connectionId}, 'a'))
  await store.unfurls.note({team, ...LINKED}, [TO_WORK], 4)
  await store.rooms.begin({team, threadId: THREAD, linkId, origin: CHANNEL}, 1)
  await store.rooms.made({team, threadId: THREAD}, `room of ${team}`)
  await store.rooms.noteSupport(team, true, 1)
  await store.barredChannels.bar({team, channel: CHANNEL}, 1)
  await store.roomViews.put(linkId, {kind: 'html', name: 'a', content: team}, 1)
  const target = {team, target: CHANNEL}
  await store.digests.choose(target, WEEKLY, FRESH_DIGEST)
  const digest = await store.digests.of(target)
  if (digest !== undefined) await store.digests.tell(digest, toldOn(DAY), 4)
  const limit = {most: 5, sinceMs: 0, full: {error: 'x'}, nowMs: 1}
  await store.executions.take(stepOf(team), limit)
  return {
    ...mine,
    ...{
      sendId: send.id,
      notificationId: notification?.id ?? '',
      startId: start.id,
      inboxId: row?.id ?? 0,
    },
    announcementId: `${team}-told`,
    ...{hookId, deliveryId: delivery?.id ?? 0, runId: `${hookId}-${ranId}`},
    agentPostId: posted.outcome === 'added' ? posted.post.id : '',
    sharedFileId: shared?.id ?? '',
    aliasId: alias?.id ?? '',
    budgetNoteId: note?.id ?? '',
    ruleId: ruled.rule.split('.')[0] ?? '',
    alertId: ruled.alertId,
  }
}
