export type SmallTalk = 'hello' | 'thanks' | 'goodbye' | 'mood' | 'identity' | 'abilities' | 'agreement'

const HELLO =
  /^(?:hi|hii+|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|hallo|moin|servus|yo)(?: (?:there|all|everyone|assistant|parley|you|again|bot))*$/
const RULES: readonly (readonly [SmallTalk, RegExp])[] = [
  ['hello', HELLO],
  [
    'thanks',
    /^(?:(?:ok|okay|great|perfect|super|cool|nice|wow|good|alright|all right) )?(?:thanks|thank you|thankyou|thx|ty|cheers|many thanks|danke|merci|gracias)(?: (?:a lot|so much|very much|you|for (?:the|your) (?:help|answer)|that helped|again))*$/,
  ],
  [
    'goodbye',
    /^(?:bye|bye bye|goodbye|good bye|good night|see you|see ya|cya|farewell|that is all|that's all)(?: (?:later|soon|then|for now|thanks|thank you))*$/,
  ],
  [
    'mood',
    /^(?:(?:hi|hello|hey) )?(?:how are you|how's it going|how is it going|how do you do|how are things|what's up|whats up|sup)(?: (?:today|doing|doing today|there))*$/,
  ],
  [
    'identity',
    /^(?:(?:hi|hello|hey) )?(?:who|what) (?:are|r) (?:you|u)(?: exactly| really)?$|^(?:what's|what is|whats) your name$|^do you have a name$|^who (?:made|built|created|wrote|programmed|developed) (?:you|u)$|^introduce yourself$|^are you (?:(?:a|an|really|actually) )*(?:human|person|real|robot|bot|machine|ai|chatbot|chatgpt|gpt|claude|llm|language model|artificial intelligence|real person|there)$|^(?:what|which) (?:model|ai|llm|language model) (?:are|do) you(?: use)?$/,
  ],
  [
    'abilities',
    /^(?:(?:hi|hello|hey) )?(?:help|help me|can you help|can you help me|what can you (?:do|help with|help me with|answer)(?: for me)?|what (?:do|can) (?:you know|i ask|i ask you|i do here|i do)(?: about)?|what are (?:your|you) (?:able to do|abilities|skills|features|capabilities)|how can you help(?: me)?|what (?:else )?can you do|topics|menu|options|commands|what topics do you know|what questions can (?:i ask|you answer))$/,
  ],
  [
    'agreement',
    /^(?:ok|okay|k|great|cool|nice|good|perfect|super|yes|yeah|yep|no|nope|alright|all right|i see|got it|understood|never mind|nevermind|wow|lol|haha|test|testing)$/,
  ],
]

/** Which small talk a prompt is, when it is nothing else. */
export function smallTalkOf(prompt: string): SmallTalk | undefined {
  const text = prompt
    .toLowerCase()
    .replace(/[’`]/g, "'")
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replace(/\b(?:please)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return RULES.find(([, rule]) => rule.test(text))?.[0]
}

/** Prompts that show what the assistant can do; each works as it stands. */
export const SAMPLE_PROMPTS = [
  'What is 15% of 240?',
  'What time is it in Tokyo?',
  'Convert 10 miles to kilometres',
  'What is stored about me?',
  'How long are my chats kept?',
  'What happens if I close the page?',
]

const ABILITIES = `I am a small assistant that runs inside this server, without a language model. I can:

- **answer questions** from the files that this site gave me, with their source
- **calculate**, for example *What is 15% of 240?*
- **tell the date and time** in a place, for example *What time is it in Tokyo?*
- **convert units**, for example *Convert 10 miles to kilometres*

I cannot write texts, translate, or look things up on the web. When I do not know something, I say so.`

export const SMALL_TALK_ANSWERS: Record<SmallTalk, string> = {
  hello: 'Hello! What would you like to know? I answer questions about this site, calculate, convert units and tell the time.',
  thanks: 'You are welcome. If there is anything else, just ask.',
  goodbye: 'Goodbye! Your chat stays in the list of earlier chats if you want to come back to it.',
  mood: 'I am a program, so I have no moods, but I am up and ready. What would you like to know?',
  identity:
    'I am the built-in assistant of this site: a small program, not a person and not a language model. ' +
    'I answer from the files that this site gave me, and I can calculate, convert units and tell the time.',
  abilities: ABILITIES,
  agreement: 'All right. Ask me whenever you need something.',
}
