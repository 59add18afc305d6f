import type { PageLanguage } from '../../../contract/page-languages.ts'

export type SmallTalk = 'hello' | 'thanks' | 'goodbye' | 'human' | 'abilities'

// Translated by `translated`; the other languages are in `src/server/translations/messages`.

export const REPLIES: Readonly<Record<SmallTalk, string>> = {
  hello: 'Hi, how can I help?',
  thanks: 'You’re welcome. If there is anything else, just ask.',
  goodbye: 'Goodbye!',
  human:
    'I’m the built-in assistant of this site: a small program, not a person and not a language model. I answer from the documents of this site and calculate.',
  abilities:
    'I look up your question in the documents of this site and quote what answers it, with the source. I also calculate, such as 15% of 240. I can’t write or translate texts, or search the web.',
}

/** Before a quotation. */
export const FOUND = 'Here is what I found:'
export const NOT_FOUND = 'I couldn’t find that in this site’s documents. Try other words.'
export const NOT_CALCULATED = 'I couldn’t calculate that.'
export const FAILED = 'Sorry, that didn’t work this time. Please try again.'
/** After an interrupted answer that lacks nothing. */
export const NOTHING_MORE = 'That was all.'

interface Wordings {
  /** Prompts of each kind, `|` between them; case, accents and punctuation don't matter. */
  prompts: Readonly<Record<SmallTalk, string>>
  /** Words around a calculation. */
  ask: string
  /** Words for the signs of a calculation. */
  signs: Readonly<Record<'%' | 'of' | '+' | '-' | '*' | '/', string>>
}

/** Everything that the built-in assistant recognizes by wording, in the languages of the page. */
export const WORDINGS: Readonly<Record<PageLanguage, Wordings>> = {
  en: {
    prompts: {
      hello: 'hi|hello|hey|hiya|howdy|greetings|good morning|good afternoon|good evening|good day|morning|evening|yo|hi there',
      thanks: 'thanks|thank you|thankyou|thank u|thx|ty|tysm|cheers|many thanks|thanks a lot',
      goodbye: 'bye|bye bye|goodbye|good bye|good night|goodnight|see you|see you later|see you soon|see ya',
      human:
        'who are you|what are you|what is your name|what’s your name|who made you|what model are you|are you human|are you a human|are you a person|are you a real person|are you real|are you a robot|are you a bot|are you a machine|are you an ai|are you ai|are you a chatbot|are you chatgpt|are you gpt|are you claude|are you an llm|are you a language model|are you alive|are you a computer|are you a real human|are you really a person|are you actually human|is this a bot|is this a human|is this a real person|is this ai|is this chatgpt|am i talking to a human|am i talking to a real person|am i talking to a person|am i talking to a bot|am i talking to a robot|am i chatting with a human|am i chatting with a bot|am i speaking to a person|am i speaking with a human|am i speaking to a human|human or bot|bot or human|are you human or bot|are you a human or a bot|are you a bot or a human|r u human|r u a bot',
      abilities: 'what can you do|what can you do for me|what can you help me with|what can you help with|what can i ask|can you help me',
    },
    ask: "what is|what’s|what's|whats|how much is|calculate|compute|please",
    signs: { '%': 'percent|per cent', of: 'of', '+': 'plus', '-': 'minus', '*': 'times|multiplied by', '/': 'divided by' },
  },
  ar: {
    prompts: {
      hello: 'مرحبا|اهلا|أهلا|السلام عليكم|صباح الخير|مساء الخير|هلا|مرحباً|أهلاً|اهلا وسهلا|أهلا وسهلا|سلام|هاي|مرحبا بك',
      thanks: 'شكرا|شكراً|شكرا جزيلا|شكرا لك|شكراً لك|شكراً جزيلاً|مشكور|جزاك الله خيرا|شكرا كثيرا|ألف شكر',
      goodbye: 'مع السلامة|وداعا|وداعاً|إلى اللقاء|الى اللقاء|تصبح على خير|باي|في أمان الله|أراك لاحقا',
      human:
        'هل أنت إنسان|هل انت انسان|هل أنت بشر|هل انت بشر|هل أنت روبوت|هل انت روبوت|من أنت|من انت|ما اسمك|هل أنت حقيقي|هل انت حقيقي|هل أنت شخص حقيقي|هل انت شخص حقيقي|هل أتحدث مع إنسان|هل أنت شخص|هل أنت آلة|هل أنت ذكاء اصطناعي|هل انت ذكاء اصطناعي|هل أنت بوت|هل أنت برنامج|انت انسان|أنت إنسان|هل أتحدث مع شخص حقيقي',
      abilities: 'ماذا يمكنك أن تفعل|ماذا يمكنك ان تفعل|كيف يمكنك مساعدتي|مساعدة|بماذا يمكنك مساعدتي',
    },
    ask: 'كم يساوي|ما هو|ما ناتج|احسب|كم',
    signs: { '%': 'بالمئة|في المئة|بالمائة', of: 'من', '+': 'زائد', '-': 'ناقص', '*': 'ضرب', '/': 'على' },
  },
  de: {
    prompts: {
      hello: 'hallo|moin|moin moin|servus|gruss gott|guten tag|guten morgen|guten abend|gruezi|grüß dich|hallo zusammen|hallo du',
      thanks: 'danke|dankeschon|danke schon|danke sehr|vielen dank|besten dank|herzlichen dank|danke dir|danke ihnen|tausend dank',
      goodbye: 'tschuss|tschuess|tschau|auf wiedersehen|wiedersehen|bis bald|bis spater|bis dann|gute nacht|bis morgen',
      human:
        'bist du ein mensch|bist du menschlich|sind sie ein mensch|bist du ein bot|bist du ein roboter|sind sie ein roboter|sind sie ein bot|bist du eine ki|sind sie eine ki|bist du eine maschine|bist du echt|bist du chatgpt|bist du real|rede ich mit einem menschen|spreche ich mit einem menschen|schreibe ich mit einem menschen|bist du eine echte person|bist du eine person|mensch oder maschine|mensch oder bot|ist da ein mensch|ist da jemand|wer bist du|wer sind sie|was bist du|wie heisst du|wie heissen sie|bist du ein mensch oder ein bot|bist du ein mensch oder eine maschine|bist du ein programm|ich will mit einem menschen sprechen|kann ich mit einem menschen sprechen|ich mochte mit einem menschen sprechen|antwortet hier ein mensch|stell dich vor|wer hat dich gemacht|lebst du|bist du ein echter mensch|ist das ein bot|sprech ich mit einem menschen|antwortet mir ein mensch|mit wem spreche ich',
      abilities: 'was kannst du|was kannst du alles|was konnen sie|was kannst du fur mich tun|was konnen sie fur mich tun|hilfe',
    },
    ask: 'was ist|was sind|was ergibt|wie viel ist|wie viel sind|wieviel ist|wieviel sind|berechne|bitte',
    signs: { '%': 'prozent', of: 'von', '+': 'plus', '-': 'minus', '*': 'mal', '/': 'geteilt durch|durch' },
  },
  es: {
    prompts: {
      hello: 'hola|buenas|buenos dias|buenas tardes|buenas noches|buen dia|hola que tal|que tal|muy buenas|hola a todos|saludos',
      thanks: 'gracias|muchas gracias|mil gracias|muchisimas gracias|gracias por la ayuda|gracias por tu ayuda|ok gracias',
      goodbye: 'adios|hasta luego|hasta pronto|hasta manana|nos vemos|chao|chau|hasta la vista|eso es todo|que tengas un buen dia',
      human:
        'eres humano|eres un humano|eres una persona|eres un robot|eres un bot|eres una ia|eres una maquina|eres real|eres una persona real|es usted humano|es usted una persona|es usted un robot|eres chatgpt|quien eres|quien es usted|como te llamas|que eres|cual es tu nombre|estoy hablando con un humano|hablo con un humano|hablo con una persona|estoy hablando con una persona|estoy hablando con un robot|humano o robot|hay alguien|hay alguien ahi|quiero hablar con un humano|quiero hablar con una persona|puedo hablar con una persona|puedo hablar con un humano|eres de verdad|eres un ser humano|eres persona|es un robot|es esto un bot|eres una inteligencia artificial|eres humana|eres una persona de verdad',
      abilities: 'que puedes hacer|que puede hacer|que sabes hacer|en que puedes ayudarme|en que me puedes ayudar|puedes ayudarme|ayuda',
    },
    ask: '¿|cuánto es el|cuánto es|cuanto es el|cuanto es|cuánto son|cuanto son|calcula|calcule|el',
    signs: { '%': 'por ciento', of: 'de', '+': 'más|mas', '-': 'menos', '*': 'por', '/': 'dividido por|dividido entre|entre' },
  },
  fr: {
    prompts: {
      hello: 'bonjour|bonsoir|salut|coucou|bonjour a tous|bonjour a toi|salut a tous|rebonjour|allo|bonne journee a toi|bjr|slt',
      thanks: 'merci|merci beaucoup|mille mercis|merci bien|un grand merci|merci infiniment|ok merci|super merci|parfait merci',
      goodbye: 'au revoir|a bientot|a plus|a plus tard|a demain|bonne nuit|bonne journee|bonne soiree|adieu|c’est tout',
      human:
        'es-tu humain|es tu humain|es-tu un humain|es tu un humain|etes-vous humain|etes vous humain|etes-vous un humain|es-tu un robot|es tu un robot|etes-vous un robot|es-tu un bot|tu es un robot|tu es humain|tu es un humain|t’es un robot|t’es humain|t’es un bot|es-tu une ia|etes-vous une ia|tu es une ia|es-tu une machine|es-tu une personne|etes-vous une vraie personne|es-tu une vraie personne|es-tu reel|qui es-tu|qui es tu|qui etes-vous|qui etes vous|comment tu t’appelles|comment t’appelles-tu|comment vous appelez-vous|est-ce que tu es humain|est-ce que vous etes humain|est-ce que je parle a un humain|je parle a un humain|je parle a un robot|suis-je en train de parler a un humain|humain ou robot|y a quelqu’un|il y a quelqu’un|je veux parler a un humain|puis-je parler a un humain|es-tu chatgpt|vous etes un robot|vous etes humain|parle-je a un humain|tu es qui|t’es qui|est-ce un robot',
      abilities: 'que peux-tu faire|que peux tu faire|que pouvez-vous faire|que pouvez vous faire|que sais-tu faire|que savez-vous faire',
    },
    ask: 'combien font|combien fait|quel est|calcule|calculer|calculez',
    signs: { '%': 'pour cent|pourcent', of: 'de', '+': 'plus', '-': 'moins', '*': 'fois', '/': 'divisé par|divise par' },
  },
  hi: {
    prompts: {
      hello: 'नमस्ते|नमस्कार|हैलो|हेलो|हाय|सुप्रभात|प्रणाम|शुभ संध्या|राम राम|नमस्ते जी|कैसे हो|आप कैसे हैं|शुभ प्रभात',
      thanks: 'धन्यवाद|शुक्रिया|बहुत धन्यवाद|बहुत बहुत धन्यवाद|बहुत शुक्रिया|आपका धन्यवाद|थैंक यू|थैंक्स|आभार|आपका बहुत धन्यवाद',
      goodbye: 'अलविदा|फिर मिलेंगे|शुभ रात्रि|बाय|टाटा|चलता हूँ|फिर मिलते हैं|बाय बाय|विदा',
      human:
        'क्या आप इंसान हैं|क्या तुम इंसान हो|क्या आप मनुष्य हैं|क्या आप रोबोट हैं|क्या तुम रोबोट हो|आप कौन हैं|आप कौन हो|तुम कौन हो|आपका नाम क्या है|तुम्हारा नाम क्या है|क्या आप असली हैं|क्या आप बॉट हैं|क्या आप असली इंसान हैं|क्या आप एक इंसान हैं|क्या आप एक रोबोट हैं|क्या मैं इंसान से बात कर रहा हूँ|क्या आप मशीन हैं|क्या आप एआई हैं|क्या तुम बॉट हो',
      abilities: 'आप क्या कर सकते हैं|तुम क्या कर सकते हो|मदद|आप मेरी क्या मदद कर सकते हैं|मैं क्या पूछ सकता हूँ',
    },
    ask: 'कितना होता है|कितना है|कितने होते हैं|हिसाब करो|क्या है',
    signs: { '%': 'प्रतिशत', of: '', '+': 'जमा|और', '-': 'घटा', '*': 'गुणा', '/': 'भाग' },
  },
  it: {
    prompts: {
      hello: 'ciao|buongiorno|buonasera|buon giorno|buona sera|salve|ciao a tutti|ehi|ciao bot|ciao come stai|come stai|come va',
      thanks: 'grazie|grazie mille|molte grazie|grazie tante|ti ringrazio|la ringrazio|ok grazie|perfetto grazie|tante grazie',
      goodbye: 'arrivederci|a presto|buonanotte|buona notte|a dopo|addio|ciao ciao|a domani|buona giornata|ci vediamo',
      human:
        'sei umano|sei un umano|sei una persona|sei un robot|sei un bot|sei un essere umano|sei una macchina|sei reale|sei un’ia|sei una persona reale|lei e umano|e umano|chi sei|chi e lei|come ti chiami|sto parlando con un umano|parlo con un umano|sei una persona vera|parlo con una persona|sei chatgpt|sei vero|sto parlando con una persona|sei umana',
      abilities: 'che cosa sai fare|cosa sai fare|cosa puoi fare|che cosa puoi fare|puoi aiutarmi|come puoi aiutarmi|aiuto',
    },
    ask: 'quanto fa|quanto fanno|quanto è il|quanto è|quant’è il|quant’è|calcola|calcoli|il',
    signs: { '%': 'per cento', of: 'di', '+': 'più|piu', '-': 'meno', '*': 'per', '/': 'diviso' },
  },
  ja: {
    prompts: {
      hello:
        'こんにちは|こんばんは|おはよう|おはようございます|やあ|どうも|はじめまして|ハロー|もしもし|こんにちわ|元気ですか|お元気ですか',
      thanks:
        'ありがとう|ありがとうございます|どうもありがとう|ありがとうございました|どうもありがとうございます|感謝します|助かりました|本当にありがとう|サンキュー|どうもありがとうございました',
      goodbye: 'さようなら|さよなら|またね|おやすみ|おやすみなさい|では|じゃあね|また明日|バイバイ|失礼します',
      human:
        'あなたは人間ですか|人間ですか|あなたはロボットですか|ロボットですか|あなたは誰ですか|誰ですか|お名前は|あなたの名前は何ですか|名前は何ですか|あなたはaiですか|aiですか|本物の人ですか|あなたは人ですか|人ですか|botですか|ボットですか|あなたはボットですか|人間なの|あなたは本物の人間ですか|あなたは機械ですか',
      abilities: '何ができますか|何ができる|何を聞けますか|ヘルプ|助けて',
    },
    ask: 'はいくつですか|はいくらですか|は何ですか|はいくつ|はいくら|は|を計算してください|を計算して|計算して',
    signs: { '%': 'パーセント', of: '', '+': '足す|たす', '-': '引く|ひく', '*': 'かける', '/': '割る|わる' },
  },
  ko: {
    prompts: {
      hello:
        '안녕하세요|안녕|안녕하십니까|여보세요|반갑습니다|좋은 아침|좋은 아침입니다|하이|헬로|반가워|반가워요|좋은 아침이에요|잘 지내세요',
      thanks: '감사합니다|고마워|고마워요|고맙습니다|감사해요|정말 감사합니다|대단히 감사합니다|땡큐|감사|도와주셔서 감사합니다',
      goodbye: '안녕히 계세요|안녕히 가세요|잘 가|잘가|다음에 봐요|잘 자|안녕히 주무세요|바이|바이바이|나중에 봐요',
      human:
        '당신은 사람인가요|사람인가요|당신은 사람입니까|사람이에요|로봇인가요|당신은 로봇인가요|너 사람이야|사람이야|봇인가요|누구세요|당신은 누구인가요|이름이 뭐예요|이름이 뭐야|당신은 누구입니까|ai인가요|인간인가요|당신은 인간인가요|당신은 인간입니까|너는 사람이야|넌 누구야|너는 누구야|당신은 ai인가요|로봇이에요|진짜 사람인가요',
      abilities: '무엇을 할 수 있나요|뭘 할 수 있어|뭐 할 수 있어|무엇을 물어볼 수 있나요|도움말|도와줘|도와주세요',
    },
    ask: '은 얼마인가요|는 얼마인가요|은 얼마|는 얼마|얼마인가요|얼마예요|계산해 줘|계산해줘|계산해 주세요|은|는',
    signs: { '%': '퍼센트|프로', of: '', '+': '더하기', '-': '빼기', '*': '곱하기', '/': '나누기' },
  },
  pt: {
    prompts: {
      hello: 'ola|oi|bom dia|boa tarde|boa noite|e ai|oi tudo bem|ola tudo bem|tudo bem|oie|ola a todos|oi gente|como vai',
      thanks: 'obrigado|obrigada|muito obrigado|muito obrigada|valeu|brigado|brigada|agradeco|ok obrigado|ok obrigada',
      goodbye: 'tchau|adeus|ate logo|ate mais|ate breve|ate amanha|falou|xau|ate a proxima|tenha um bom dia',
      human:
        'voce e humano|voce e um humano|es humano|voce e uma pessoa|voce e um robo|voce e um bot|voce e real|voce e uma maquina|voce e uma ia|e um robo|quem e voce|quem es tu|como voce se chama|qual e o seu nome|estou falando com um humano|estou falando com uma pessoa|voce e humana|tu es humano|estou a falar com uma pessoa|voce e uma pessoa real|voce e um ser humano|vc e humano|vc e um robo|estou falando com um robo',
      abilities: 'o que voce pode fazer|o que voce sabe fazer|o que podes fazer|como voce pode me ajudar|voce pode me ajudar|ajuda',
    },
    ask: 'quanto é|quanto e|quanto são|quanto dá|calcule|calcula|qual é',
    signs: { '%': 'por cento', of: 'de', '+': 'mais', '-': 'menos', '*': 'vezes', '/': 'dividido por' },
  },
  ru: {
    prompts: {
      hello: 'привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер|приветствую|привет всем|хай|салют|доброго дня',
      thanks: 'спасибо|большое спасибо|спасибо большое|благодарю|благодарю вас|спасибо вам|спасибо за помощь|огромное спасибо',
      goodbye: 'пока|до свидания|до скорого|спокойной ночи|увидимся|всего доброго|всего хорошего|до встречи|прощай|прощайте',
      human:
        'ты человек|вы человек|ты бот|вы бот|ты робот|вы робот|ты настоящий|ты живой|ты реальный человек|кто ты|кто вы|как тебя зовут|как вас зовут|я говорю с человеком|это бот|это человек|ты человек или бот|ты ии|ты искусственный интеллект|вы настоящий человек|ты настоящий человек|вы живой человек|я разговариваю с человеком|ты машина|это робот',
      abilities: 'что вы умеете|что ты умеешь|что ты можешь|что вы можете|чем вы можете помочь|чем ты можешь помочь|что можно спросить',
    },
    ask: 'сколько будет|чему равно|посчитай|посчитайте|вычисли',
    signs: { '%': 'процентов|процента|процент', of: 'от|из', '+': 'плюс', '-': 'минус', '*': 'умножить на', '/': 'разделить на|делить на' },
  },
  zh: {
    prompts: {
      hello: '你好|您好|嗨|哈喽|早上好|下午好|晚上好|大家好|你好啊|你好呀|喂|早安|早|你好吗',
      thanks: '谢谢|谢谢你|谢谢您|多谢|非常感谢|感谢|十分感谢|好的谢谢|好的谢谢你|太感谢了',
      goodbye: '再见|拜拜|晚安|回头见|下次见|再会|拜|88|再見|明天见',
      human:
        '你是人吗|你是真人吗|你是机器人吗|您是人吗|你是人类吗|你是谁|您是谁|你叫什么|你叫什么名字|你是ai吗|你是人工智能吗|您是真人吗|你是真的人吗|你是人还是机器人|我在和真人说话吗|你是机器吗|您是机器人吗|是真人吗|是机器人吗|你是不是人|你是不是机器人|你是chatgpt吗',
      abilities: '你能做什么|您能做什么|你会做什么|你能帮我什么|我可以问什么|帮助',
    },
    ask: '等于多少|是多少|等于几|计算|算一下|请',
    signs: { '%': '', of: '', '+': '加', '-': '减', '*': '乘以|乘', '/': '除以' },
  },
}
