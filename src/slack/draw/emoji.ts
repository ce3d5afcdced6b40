/**
 * Pictures as text has them, and as Slack names them: in names and pictures of messages Slack takes their names alone
 * (https://docs.slack.dev/reference/methods/chat.postMessage). Those that make a face.
 */
const EMOJI: ReadonlyMap<string, string> = new Map([
  ['🙂', 'slightly_smiling_face'],
  ['😀', 'grinning'],
  ['😎', 'sunglasses'],
  ['🤓', 'nerd_face'],
  ['🤖', 'robot_face'],
  ['👾', 'space_invader'],
  ['👻', 'ghost'],
  ['👽', 'alien'],
  ['🧑‍🚀', 'astronaut'],
  ['🧙', 'mage'],
  ['🥷', 'ninja'],
  ['🦸', 'superhero'],
  ['🕵️', 'sleuth_or_spy'],
  ['👷', 'construction_worker'],
  ['🧑‍💻', 'technologist'],
  ['🧑‍✈️', 'pilot'],
  ['⚓', 'anchor'],
  ['🧭', 'compass'],
  ['⛵', 'boat'],
  ['🚢', 'ship'],
  ['🚀', 'rocket'],
  ['🛰️', 'satellite'],
  ['🔭', 'telescope'],
  ['🔬', 'microscope'],
  ['🔧', 'wrench'],
  ['🛠️', 'hammer_and_wrench'],
  ['⚙️', 'gear'],
  ['💡', 'bulb'],
  ['🔥', 'fire'],
  ['⚡', 'zap'],
  ['⭐', 'star'],
  ['🌈', 'rainbow'],
  ['🌊', 'ocean'],
  ['🌵', 'cactus'],
  ['🌻', 'sunflower'],
  ['🍀', 'four_leaf_clover'],
  ['🌲', 'evergreen_tree'],
  ['🍄', 'mushroom'],
  ['🍕', 'pizza'],
  ['☕', 'coffee'],
  ['🎩', 'tophat'],
  ['🎯', 'dart'],
  ['🎨', 'art'],
  ['🎸', 'guitar'],
  ['📚', 'books'],
  ['🧪', 'test_tube'],
  ['💎', 'gem'],
  ['👑', 'crown'],
  ['🐶', 'dog'],
  ['🐱', 'cat'],
  ['🐭', 'mouse'],
  ['🐹', 'hamster'],
  ['🐰', 'rabbit'],
  ['🦊', 'fox_face'],
  ['🐻', 'bear'],
  ['🐼', 'panda_face'],
  ['🐨', 'koala'],
  ['🐯', 'tiger'],
  ['🦁', 'lion_face'],
  ['🐮', 'cow'],
  ['🐷', 'pig'],
  ['🐸', 'frog'],
  ['🐵', 'monkey_face'],
  ['🐔', 'chicken'],
  ['🐧', 'penguin'],
  ['🐦', 'bird'],
  ['🦆', 'duck'],
  ['🦅', 'eagle'],
  ['🦉', 'owl'],
  ['🦜', 'parrot'],
  ['🐺', 'wolf'],
  ['🐴', 'horse'],
  ['🦄', 'unicorn_face'],
  ['🐝', 'bee'],
  ['🦋', 'butterfly'],
  ['🐢', 'turtle'],
  ['🐍', 'snake'],
  ['🐙', 'octopus'],
  ['🦑', 'squid'],
  ['🦀', 'crab'],
  ['🐠', 'tropical_fish'],
  ['🐬', 'dolphin'],
  ['🐳', 'whale'],
  ['🦈', 'shark'],
  ['🐘', 'elephant'],
  ['🦒', 'giraffe_face'],
  ['🦔', 'hedgehog'],
  ['🦝', 'raccoon'],
  ['🦥', 'sloth'],
  ['🦦', 'otter'],
  ['🐉', 'dragon'],
  ['🦕', 'sauropod'],
  ['👤', 'bust_in_silhouette'],
  ['🔵', 'large_blue_circle'],
  ['🟢', 'large_green_circle'],
  ['🔴', 'red_circle'],
  ['🟡', 'large_yellow_circle'],
  ['🟠', 'large_orange_circle'],
  ['🟣', 'large_purple_circle'],
  ['🟤', 'large_brown_circle'],
  ['⚫', 'black_circle'],
  ['⚪', 'white_circle'],
])

/** A picture, and Slack's name of it. */
interface Emoji {
  emoji: string
  name: string
}

const BY_NAME: ReadonlyMap<string, string> = new Map(
  [...EMOJI].map(([emoji, name]) => [name, emoji]),
)
const SHORT_NAME = /^:([a-z0-9_+'-]{1,100})(?:::skin-tone-[2-6])?:$/

/**
 * The one that a text is, written as it looks or by its name between colons; `undefined` for anything else. A name
 * that is not listed may be one of the workspace's own pictures: it looks as it is written.
 */
export function emojiIn(text: string): Emoji | undefined {
  const said = text.trim()
  const [, name] = SHORT_NAME.exec(said) ?? []
  if (name !== undefined) return {emoji: BY_NAME.get(name) ?? said, name}
  const plain = withoutStyle(said)
  const found = [...EMOJI].find(([emoji]) => withoutStyle(emoji) === plain)
  return found && {emoji: found[0], name: found[1]}
}

export function emojiCalled(name: string): string | undefined {
  return BY_NAME.get(name)
}

/** Whether a text is a picture at all. */
export function isEmoji(text: string): boolean {
  return SHORT_NAME.test(text) || /^\p{RGI_Emoji}$/v.test(text)
}

/** Some keyboards add that it shall look like a picture. */
function withoutStyle(emoji: string): string {
  return emoji.replaceAll('\u{FE0F}', '')
}
