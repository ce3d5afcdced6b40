import {MACHINE_SIZES} from '../../platform/model.ts'
/** What people read of captains: agents that stay, and have a name. Names come drawn. */
export const captainTexts = {
  /** What `help` says. */
  help: {
    '/captain': [
      '*A captain is an agent that stays*: it has a name and a face, and you can ask it again and again.',
      '',
      '`/captain new` makes one with a form, or `/captain new Ada`',
      '`/captain list` shows those of this channel’s project, and where they are',
      '`/captain ask Ada what is left to do?` asks one · `/captain ask "Ada Lovelace" what is left to do?` where its name has spaces',
      '`/captain here Ada` makes this channel Ada’s home: mentions of me here go to Ada, and *@Bosun new* still starts new work · `/captain here nobody` ends that',
      '`/captain help` shows this',
    ],
  },
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/captain new Ada':
      'A form: name, what it is for, project, model, how hard it thinks, face, picture, owner. Then Ada is here, in a Slack thread of its own.',
    '/captain list':
      'Those of the project, each with [Ask], and [Bring here] if it is not in this channel.',
    '/captain ask Ada what is left to do?':
      'The question as a quote in Ada’s Slack thread, and the answer below it.',
    '/captain here Ada':
      'This channel is Ada’s home: who mentions `@Bosun` asks Ada. `/captain here nobody` ends that.',
  },
  form: {
    title: 'A new captain',
    create: 'Create',
    cancel: 'Cancel',
    name: 'Name',
    nameHint: 'Up to 100 characters.',
    noName: 'A captain needs a name.',
    brief: 'What is it for?',
    briefHint: 'Left empty, it greets you and asks.',
    project: 'Project',
    face: 'Face',
    faceHint:
      'An emoji, or the name of one of the agent platform’s own faces. Left empty, the platform picks one.',
    background: 'Background colour',
    image: 'Picture',
    imageHint:
      'The https address of a picture, which Slack fetches by itself. The face stands where no picture can be shown.',
    noPicture: 'Write the whole address of a picture: https://…',
    noFace: 'A colour needs a face. Name one, or leave the colour empty.',
    owner: 'Owner',
    ownerHint: 'Found on the agent platform by the e-mail address in Slack.',
  },
  colours: ['blue', 'green', 'yellow', 'orange', 'red', 'purple', 'brown', 'black', 'white'],
  change: 'Change the form',
  withoutPicture: 'Create without the picture',
  tooOld: 'That form has expired. Type `/captain new` again.',
  made: 'That captain was already created. `/captain list` shows where it is.',

  created: (name: string, where: string) => `*${name}* is here: ${where}`,
  createdElsewhere: (name: string, code: string) =>
    `*${name}* is created, but Slack does not let me write in this channel (${code}). Invite me with */invite @Bosun*, then press *Bring here* in \`/captain list\`.`,
  createdOnly: (name: string, why: string) =>
    `*${name}* is created, but I could not bring it here. ${why} *Bring here* in \`/captain list\` does it.`,
  createdPersonal: (name: string) =>
    `*${name}* is created. The agent platform says that it is personal, so it shows up in no channel: its owner asks it in their direct messages with me, with \`/captain ask\`.`,
  taken: (name: string) =>
    `This project already has a captain named *${name}*. Choose another name, so people can tell them apart.`,
  noOwner: (owner: string) =>
    `No user of the agent platform has ${owner}’s e-mail address, so ${owner} can’t own a captain. Choose somebody who has an account there.`,
  ownerUnread: (owner: string) =>
    `Slack does not tell me ${owner}’s e-mail address, so I can’t look ${owner} up on the agent platform. Choose another owner, or try again later.`,
  needsOwner: (why: string) =>
    `${why}\nNo user of the agent platform has your e-mail address. If this channel works with a service key, a captain needs an owner: choose somebody who has an account there.`,
  needsProject: 'This channel has no project of its own. Choose one in the form.',
  projectGone:
    'That project does not exist, or my key can’t reach it. Choose another one in the form.',
  feature: (feature: string | undefined): string => {
    if (feature === 'captain_image') {
      return 'Your plan has no pictures for captains. Create it without, or change the form.'
    }
    if (feature === 'byok') {
      return 'The plan does not include models with your own key. Choose another model, or leave it empty.'
    }
    if (MACHINE_SIZES.some((size) => size === feature)) {
      return `The plan does not include machines of size *${feature}*, which this captain would work on.`
    }
    return 'This needs a feature that the plan does not include.'
  },
  rejected: (model: string) => `The model *${model}* cannot be used.`,
  rejectedSome: 'That model cannot be used.',
  candidates: 'These can be used:',
  noCandidates: 'Leave the model empty to use the default one.',

  list: {
    headline: '*Captains*',
    none: 'There is no captain here yet. `/captain new` makes one.',
    noMore: 'That was all.',
    cut: 'I looked only at the newest work, so older captains may be missing.',
    owner: (name: string) => `${name}’s`,
    gone: '⚪️ Gone',
    elsewhere: 'not in this channel',
    home: '🏠 answers mentions here',
    ask: 'Ask',
    followHere: 'Bring here',
    toThread: 'Slack thread',
  },

  usageAsk: 'Say which captain to ask, and what: `/captain ask Ada what is left to do?`',
  askWhat: (name: string) =>
    `What should I ask *${name}*? Write it after the name: \`/captain ask ${name} what is left to do?\``,
  unknown: (word: string, nearest: string | undefined) =>
    nearest === undefined
      ? `I know no captain named *${word}*. \`/captain list\` shows those that are here.`
      : `I know no captain named *${word}*. Did you mean *${nearest}*?`,
  several: (name: string) => `More than one captain is named *${name}*. Which one is it?`,
  noProject:
    'The project of this channel does not exist, or my key can’t reach it. `/bosun channel` says which one it is.',
  noCaptain: 'That is not a captain, or this channel can’t reach it.',
  gone: (name: string) =>
    `*${name}* is no longer on the agent platform. \`/captain new\` makes another one.`,
  askForm: {
    title: 'Ask a captain',
    ask: 'Ask',
    cancel: 'Cancel',
    label: (name: string) => `What do you want to ask ${name}?`,
    empty: 'Write your question first.',
  },

  usageHere:
    'Say which captain should answer here: `/captain here Ada`. `/captain here nobody` ends it.',
  home: (name: string, where: string) =>
    `This channel is now *${name}*’s home: mentions of me here go to *${name}*, which answers in its Slack thread: ${where}\n*@Bosun new* before a task still starts new work; \`/captain here nobody\` ends this.`,
  inRoom:
    'This is the room of one piece of work, and what you write here goes to its agent. A captain answers in a channel, or in a room of its own: [Open a room] in the details of its card.',
  roomOf: (name: string) =>
    `This is *${name}*’s room: whatever you write here goes to *${name}*, without a mention.`,
  isHome: (name: string, where: string) =>
    `This channel is *${name}*’s home. It answers in its Slack thread: ${where}\n\`/captain here nobody\` ends this.`,
  homeEnded: (name: string) =>
    `This channel is no longer *${name}*’s home. Mentions of me here start new work again.`,
  noHomeInDirect:
    'A direct message with me is nobody’s home: what you write here starts work. `/captain ask Ada …` asks Ada here.',
  noHome: `This channel is nobody’s home. \`/captain here Ada\` makes it Ada’s.`,
} as const
