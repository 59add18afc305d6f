/** The twelve languages of the page. */
export type GreetingLanguage = 'ar' | 'de' | 'en' | 'es' | 'fr' | 'hi' | 'it' | 'ja' | 'ko' | 'pt' | 'ru' | 'zh'
export type Greeting = 'hello' | 'thanks' | 'goodbye' | 'human'

interface Phrases {
  /** Greetings of visitors, in lower case without accents; `|` between alternatives. */
  prompts: string
  reply: string
}

/** Small talk that is understood and answered in every language of the page. */
export const GREETINGS: Readonly<Record<GreetingLanguage, Readonly<Record<Greeting, Phrases>>>> = {
  en: {
    hello: {
      prompts:
        'hi|hello|hey|hiya|howdy|greetings|good morning|good afternoon|good evening|good day|morning|evening|yo|hi there|hello there|hey there|hi all|hello everyone|hi bot|hello bot|hi assistant|hello assistant|hey you|hi again|hello again|hello parley|hi parley|hi parley assistant|helo|hallo there|heya|sup bot',
      reply: 'Hi, how can I help?',
    },
    thanks: {
      prompts:
        'thanks|thank you|thankyou|thank u|thx|ty|tysm|cheers|many thanks|thanks a lot|thanks so much|thanks very much|thanks a bunch|thx a bunch|thx a lot|thanks a million|thank you so much|thank you very much|thanks for your help|thanks for the help|thank you for your help|thanks for the answer|thanks that helped|thanks that helps|that helped|that helps|great thanks|ok thanks|okay thanks|perfect thanks|perfect thank you|ok thank you|great thank you|cool thanks|nice thanks|awesome thanks|much appreciated|appreciate it|i appreciate it|thanks again|thank you again|thnks|thansk|thanx|thanks mate|thanks bot|no thanks|no thank you',
      reply: 'You’re welcome. If there is anything else, just ask.',
    },
    goodbye: {
      prompts:
        'bye|bye bye|goodbye|good bye|good night|goodnight|see you|see you later|see you soon|see ya|see ya later|cya|farewell|that is all|that’s all|that’s all thanks|that is all thank you|ok bye|okay bye|bye for now|bye then|take care|have a nice day|have a good day|thanks bye|thank you bye|bye thanks|later|talk to you later|ttyl|gotta go|i have to go',
      reply: 'Goodbye!',
    },
    human: {
      prompts:
        'are you human|are you a human|are you a person|are you a real person|are you real|are you a robot|are you a bot|are you a machine|are you an ai|are you ai|are you a chatbot|are you chatgpt|are you gpt|are you claude|are you an llm|are you a language model|are you alive|are you a computer|are you a real human|are you really a person|are you actually human|is this a bot|is this a human|is this a real person|is this ai|is this chatgpt|am i talking to a human|am i talking to a real person|am i talking to a person|am i talking to a bot|am i talking to a robot|am i chatting with a human|am i chatting with a bot|am i speaking to a person|am i speaking with a human|am i speaking to a human|human or bot|bot or human|are you human or bot|are you a human or a bot|are you a bot or a human|r u human|r u a bot|r u real|are u human|are u a bot|are u real|are you there|is anyone there|is anybody there|can i talk to a human|can i speak to a human|i want to talk to a human|i want to speak to a human|let me talk to a person|i want to talk to a person|can i talk to a person|can i talk to a real person|can i speak to someone|is there a human answering me|is a human answering|is there a person behind this|real person please|is someone there|who am i talking to|are you a human being|do you have feelings',
      reply:
        'I’m the built-in assistant of this site: a small program, not a person and not a language model. I answer from the documents of this site, calculate, convert units, and tell dates and times.',
    },
  },
  de: {
    hello: {
      prompts:
        'hallo|moin|moin moin|servus|gruss gott|guten tag|guten morgen|guten abend|gruezi|grüß dich|hallo zusammen|hallo du|hallo bot|hallo assistent|na|hallochen|tag|morgen zusammen|schonen guten tag|hey du|halli hallo|guten tach|grussgott|hi du|hi zusammen',
      reply: 'Hallo, wie kann ich helfen?',
    },
    thanks: {
      prompts:
        'danke|dankeschon|danke schon|danke sehr|vielen dank|besten dank|herzlichen dank|danke dir|danke ihnen|tausend dank|super danke|ok danke|alles klar danke|danke fur die hilfe|danke fur deine hilfe|danke fur ihre hilfe|danke fur die antwort|danke das hilft|vielen lieben dank|prima danke|merci vielmals|danke vielmals|perfekt danke|nein danke',
      reply: 'Gern geschehen. Wenn Sie noch etwas wissen möchten, fragen Sie einfach.',
    },
    goodbye: {
      prompts:
        'tschuss|tschuess|tschau|auf wiedersehen|wiedersehen|bis bald|bis spater|bis dann|gute nacht|bis morgen|machs gut|mach’s gut|das war’s|das wars|das ist alles|ade|pfiat di|auf wiederschauen|schonen tag noch|danke tschuss|ok tschuss|bis zum nachsten mal|schonen abend noch',
      reply: 'Auf Wiedersehen!',
    },
    human: {
      prompts:
        'bist du ein mensch|bist du menschlich|sind sie ein mensch|bist du ein bot|bist du ein roboter|sind sie ein roboter|sind sie ein bot|bist du eine ki|sind sie eine ki|bist du eine maschine|bist du echt|bist du chatgpt|bist du real|rede ich mit einem menschen|spreche ich mit einem menschen|schreibe ich mit einem menschen|bist du eine echte person|bist du eine person|mensch oder maschine|mensch oder bot|ist da ein mensch|ist da jemand|wer bist du|wer sind sie|was bist du|wie heisst du|wie heissen sie|bist du ein mensch oder ein bot|bist du ein mensch oder eine maschine|bist du ein programm|ich will mit einem menschen sprechen|kann ich mit einem menschen sprechen|ich mochte mit einem menschen sprechen|antwortet hier ein mensch|stell dich vor|wer hat dich gemacht|lebst du|bist du ein echter mensch|ist das ein bot|sprech ich mit einem menschen|antwortet mir ein mensch|mit wem spreche ich',
      reply:
        'Ich bin der eingebaute Assistent dieser Seite: ein kleines Programm, kein Mensch und kein Sprachmodell. Ich antworte aus den Dokumenten dieser Seite, rechne, rechne Einheiten um und kenne Datum und Uhrzeit.',
    },
  },
  fr: {
    hello: {
      prompts:
        'bonjour|bonsoir|salut|coucou|bonjour a tous|bonjour a toi|salut a tous|rebonjour|allo|bonne journee a toi|hello a tous|bjr|slt|bonjour assistant|bonjour le bot|bonjour monsieur|bonjour madame',
      reply: 'Bonjour, comment puis-je vous aider ?',
    },
    thanks: {
      prompts:
        'merci|merci beaucoup|mille mercis|merci bien|un grand merci|merci infiniment|ok merci|super merci|parfait merci|merci pour votre aide|merci pour ton aide|merci pour l’aide|je vous remercie|je te remercie|merci a vous|merci a toi|merci mille fois|mrc|non merci|d’accord merci|merci pour la reponse',
      reply: 'Je vous en prie. N’hésitez pas si vous avez une autre question.',
    },
    goodbye: {
      prompts:
        'au revoir|a bientot|a plus|a plus tard|a demain|bonne nuit|bonne journee|bonne soiree|adieu|c’est tout|merci au revoir|ok au revoir|a la prochaine|ciao ciao|salut a plus|aurevoir',
      reply: 'Au revoir !',
    },
    human: {
      prompts:
        'es-tu humain|es tu humain|es-tu un humain|es tu un humain|etes-vous humain|etes vous humain|etes-vous un humain|es-tu un robot|es tu un robot|etes-vous un robot|es-tu un bot|tu es un robot|tu es humain|tu es un humain|t’es un robot|t’es humain|t’es un bot|es-tu une ia|etes-vous une ia|tu es une ia|es-tu une machine|es-tu une personne|etes-vous une vraie personne|es-tu une vraie personne|es-tu reel|qui es-tu|qui es tu|qui etes-vous|qui etes vous|comment tu t’appelles|comment t’appelles-tu|comment vous appelez-vous|est-ce que tu es humain|est-ce que vous etes humain|est-ce que je parle a un humain|je parle a un humain|je parle a un robot|suis-je en train de parler a un humain|humain ou robot|y a quelqu’un|il y a quelqu’un|je veux parler a un humain|puis-je parler a un humain|es-tu chatgpt|vous etes un robot|vous etes humain|parle-je a un humain|tu es qui|t’es qui|est-ce un robot|c’est un robot',
      reply:
        'Je suis l’assistant intégré de ce site : un petit programme, pas un être humain ni un modèle de langage. Je réponds à partir des documents de ce site, je calcule, je convertis des unités et je donne les dates et les heures.',
    },
  },
  es: {
    hello: {
      prompts:
        'hola|buenas|buenos dias|buenas tardes|buenas noches|buen dia|hola que tal|que tal|muy buenas|hola a todos|hola buenas|hola buenos dias|hola buenas tardes|saludos|holi|hola bot|hola asistente|ola que tal',
      reply: 'Hola, ¿en qué puedo ayudarle?',
    },
    thanks: {
      prompts:
        'gracias|muchas gracias|mil gracias|muchisimas gracias|gracias por la ayuda|gracias por tu ayuda|gracias por su ayuda|ok gracias|vale gracias|perfecto gracias|te lo agradezco|se lo agradezco|gracias por todo|genial gracias|no gracias|bien gracias|gracias por la respuesta',
      reply: 'De nada. Si tiene otra pregunta, dígame.',
    },
    goodbye: {
      prompts:
        'adios|hasta luego|hasta pronto|hasta manana|nos vemos|chao|chau|hasta la vista|eso es todo|que tengas un buen dia|gracias adios|vale adios|hasta otra|hasta la proxima',
      reply: '¡Adiós!',
    },
    human: {
      prompts:
        'eres humano|eres un humano|eres una persona|eres un robot|eres un bot|eres una ia|eres una maquina|eres real|eres una persona real|es usted humano|es usted una persona|es usted un robot|eres chatgpt|quien eres|quien es usted|como te llamas|que eres|cual es tu nombre|estoy hablando con un humano|hablo con un humano|hablo con una persona|estoy hablando con una persona|estoy hablando con un robot|humano o robot|hay alguien|hay alguien ahi|quiero hablar con un humano|quiero hablar con una persona|puedo hablar con una persona|puedo hablar con un humano|eres de verdad|eres un ser humano|eres persona|es un robot|es esto un bot|eres una inteligencia artificial|eres humana|eres una persona de verdad',
      reply:
        'Soy el asistente integrado de este sitio: un pequeño programa, no soy una persona ni un modelo de lenguaje. Respondo con los documentos de este sitio, calculo, convierto unidades y digo fechas y horas.',
    },
  },
  it: {
    hello: {
      prompts: 'ciao|buongiorno|buonasera|buon giorno|buona sera|salve|ciao a tutti|ehi|ciao bot|ciao come stai|come stai|come va',
      reply: 'Ciao, come posso aiutarla?',
    },
    thanks: {
      prompts:
        'grazie|grazie mille|molte grazie|grazie tante|ti ringrazio|la ringrazio|ok grazie|perfetto grazie|grazie per l’aiuto|tante grazie|grazie infinite',
      reply: 'Prego! Se ha un’altra domanda, chieda pure.',
    },
    goodbye: {
      prompts: 'arrivederci|a presto|buonanotte|buona notte|a dopo|addio|ciao ciao|a domani|buona giornata|ci vediamo',
      reply: 'Arrivederci!',
    },
    human: {
      prompts:
        'sei umano|sei un umano|sei una persona|sei un robot|sei un bot|sei un essere umano|sei una macchina|sei reale|sei un’ia|sei una persona reale|lei e umano|e umano|chi sei|chi e lei|come ti chiami|sto parlando con un umano|parlo con un umano|sei una persona vera|parlo con una persona|sei chatgpt|sei vero|sto parlando con una persona|sei umana|che cosa sai fare|cosa sai fare',
      reply:
        'Sono l’assistente integrato di questo sito: un piccolo programma, non sono una persona né un modello linguistico. Rispondo in base ai documenti di questo sito, calcolo, converto unità e dico date e orari.',
    },
  },
  pt: {
    hello: {
      prompts: 'ola|oi|bom dia|boa tarde|boa noite|e ai|oi tudo bem|ola tudo bem|tudo bem|oie|ola a todos|oi gente|como vai',
      reply: 'Olá, como posso ajudar?',
    },
    thanks: {
      prompts:
        'obrigado|obrigada|muito obrigado|muito obrigada|valeu|brigado|brigada|agradeco|ok obrigado|ok obrigada|obrigado pela ajuda|obrigada pela ajuda|muitissimo obrigado|perfeito obrigado',
      reply: 'De nada! Se tiver outra pergunta, é só dizer.',
    },
    goodbye: { prompts: 'tchau|adeus|ate logo|ate mais|ate breve|ate amanha|falou|xau|ate a proxima|tenha um bom dia', reply: 'Até logo!' },
    human: {
      prompts:
        'voce e humano|voce e um humano|es humano|voce e uma pessoa|voce e um robo|voce e um bot|voce e real|voce e uma maquina|voce e uma ia|e um robo|quem e voce|quem es tu|como voce se chama|qual e o seu nome|estou falando com um humano|estou falando com uma pessoa|voce e humana|tu es humano|estou a falar com uma pessoa|voce e uma pessoa real|voce e um ser humano|vc e humano|vc e um robo|estou falando com um robo|o que voce pode fazer',
      reply:
        'Sou o assistente integrado deste site: um pequeno programa, não sou uma pessoa nem um modelo de linguagem. Respondo com base nos documentos deste site, calculo, converto unidades e informo datas e horas.',
    },
  },
  ru: {
    hello: {
      prompts:
        'привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер|приветствую|привет всем|хай|салют|доброго дня|здрасте|привет бот|как дела',
      reply: 'Здравствуйте! Чем могу помочь?',
    },
    thanks: {
      prompts:
        'спасибо|большое спасибо|спасибо большое|благодарю|благодарю вас|спасибо вам|спасибо за помощь|огромное спасибо|спасибо огромное|ок спасибо|спс|хорошо спасибо',
      reply: 'Пожалуйста! Если есть ещё вопросы, спрашивайте.',
    },
    goodbye: {
      prompts:
        'пока|до свидания|до скорого|спокойной ночи|увидимся|всего доброго|всего хорошего|до встречи|прощай|прощайте|пока пока|до завтра',
      reply: 'До свидания!',
    },
    human: {
      prompts:
        'ты человек|вы человек|ты бот|вы бот|ты робот|вы робот|ты настоящий|ты живой|ты реальный человек|кто ты|кто вы|как тебя зовут|как вас зовут|я говорю с человеком|это бот|это человек|ты человек или бот|ты ии|ты искусственный интеллект|вы настоящий человек|ты настоящий человек|вы живой человек|я разговариваю с человеком|ты машина|это робот|что вы умеете|что ты умеешь',
      reply:
        'Я встроенный помощник этого сайта: небольшая программа, не человек и не языковая модель. Я отвечаю по документам этого сайта, считаю, перевожу единицы и сообщаю дату и время.',
    },
  },
  zh: {
    hello: {
      prompts: '你好|您好|嗨|哈喽|早上好|下午好|晚上好|大家好|你好啊|你好呀|喂|早安|早|你好吗|哈啰|嗨你好',
      reply: '您好，有什么可以帮您？',
    },
    thanks: {
      prompts: '谢谢|谢谢你|谢谢您|多谢|非常感谢|感谢|十分感谢|好的谢谢|好的谢谢你|太感谢了|谢了|謝謝|感谢你|谢谢你的帮助|谢谢帮助',
      reply: '不客气。还有问题请随时问。',
    },
    goodbye: { prompts: '再见|拜拜|晚安|回头见|下次见|再会|拜|88|再見|明天见', reply: '再见！' },
    human: {
      prompts:
        '你是人吗|你是真人吗|你是机器人吗|您是人吗|你是人类吗|你是谁|您是谁|你叫什么|你叫什么名字|你是ai吗|你是人工智能吗|您是真人吗|你是真的人吗|你是人还是机器人|我在和真人说话吗|你是机器吗|您是机器人吗|是真人吗|是机器人吗|你是不是人|你是不是机器人|你是chatgpt吗|你能做什么|您能做什么',
      reply:
        '我是本网站内置的助手：一个小程序，不是真人，也不是语言模型。我根据本网站的文档回答问题，还能计算、换算单位，并告知日期和时间。',
    },
  },
  ja: {
    hello: {
      prompts:
        'こんにちは|こんばんは|おはよう|おはようございます|やあ|どうも|はじめまして|ハロー|もしもし|こんにちわ|元気ですか|お元気ですか',
      reply: 'こんにちは。何かお手伝いできますか？',
    },
    thanks: {
      prompts:
        'ありがとう|ありがとうございます|どうもありがとう|ありがとうございました|どうもありがとうございます|感謝します|助かりました|本当にありがとう|サンキュー|どうもありがとうございました|わかりましたありがとう',
      reply: 'どういたしまして。ほかにもご質問があればどうぞ。',
    },
    goodbye: {
      prompts: 'さようなら|さよなら|またね|おやすみ|おやすみなさい|では|じゃあね|また明日|バイバイ|失礼します|ではまた|じゃあまた',
      reply: 'さようなら。',
    },
    human: {
      prompts:
        'あなたは人間ですか|人間ですか|あなたはロボットですか|ロボットですか|あなたは誰ですか|誰ですか|お名前は|あなたの名前は何ですか|名前は何ですか|あなたはaiですか|aiですか|本物の人ですか|あなたは人ですか|人ですか|botですか|ボットですか|あなたはボットですか|人間なの|あなたは本物の人間ですか|あなたは機械ですか|何ができますか',
      reply:
        '私はこのサイトに組み込まれたアシスタントです。小さなプログラムで、人間でも言語モデルでもありません。このサイトの文書から回答し、計算や単位の換算をし、日付と時刻をお伝えします。',
    },
  },
  ko: {
    hello: {
      prompts:
        '안녕하세요|안녕|안녕하십니까|여보세요|반갑습니다|좋은 아침|좋은 아침입니다|하이|헬로|반가워|반가워요|좋은 아침이에요|잘 지내세요',
      reply: '안녕하세요. 무엇을 도와드릴까요?',
    },
    thanks: {
      prompts:
        '감사합니다|고마워|고마워요|고맙습니다|감사해요|정말 감사합니다|대단히 감사합니다|땡큐|감사|도와주셔서 감사합니다|네 감사합니다|정말 고마워요',
      reply: '천만에요. 다른 질문이 있으면 말씀해 주세요.',
    },
    goodbye: {
      prompts: '안녕히 계세요|안녕히 가세요|잘 가|잘가|다음에 봐요|잘 자|안녕히 주무세요|바이|바이바이|나중에 봐요|또 봐요',
      reply: '안녕히 가세요.',
    },
    human: {
      prompts:
        '당신은 사람인가요|사람인가요|당신은 사람입니까|사람이에요|로봇인가요|당신은 로봇인가요|너 사람이야|사람이야|봇인가요|누구세요|당신은 누구인가요|이름이 뭐예요|이름이 뭐야|당신은 누구입니까|ai인가요|인간인가요|당신은 인간인가요|당신은 인간입니까|너는 사람이야|넌 누구야|너는 누구야|당신은 ai인가요|로봇이에요|진짜 사람인가요|무엇을 할 수 있나요',
      reply:
        '저는 이 사이트에 내장된 도우미입니다. 작은 프로그램이며 사람도 언어 모델도 아닙니다. 이 사이트의 문서를 바탕으로 답하고, 계산하고, 단위를 변환하고, 날짜와 시각을 알려 드립니다.',
    },
  },
  ar: {
    hello: {
      prompts: 'مرحبا|اهلا|أهلا|السلام عليكم|صباح الخير|مساء الخير|هلا|مرحباً|أهلاً|اهلا وسهلا|أهلا وسهلا|سلام|هاي|مرحبا بك|كيف حالك',
      reply: 'مرحبا، كيف يمكنني مساعدتك؟',
    },
    thanks: {
      prompts: 'شكرا|شكراً|شكرا جزيلا|شكرا لك|شكراً لك|شكراً جزيلاً|مشكور|جزاك الله خيرا|شكرا كثيرا|ألف شكر|شكرا لكم|شكرا جزيلاً|تسلم',
      reply: 'عفوا. إذا كان لديك سؤال آخر فاسأل.',
    },
    goodbye: { prompts: 'مع السلامة|وداعا|وداعاً|إلى اللقاء|الى اللقاء|تصبح على خير|باي|في أمان الله|أراك لاحقا', reply: 'إلى اللقاء!' },
    human: {
      prompts:
        'هل أنت إنسان|هل انت انسان|هل أنت بشر|هل انت بشر|هل أنت روبوت|هل انت روبوت|من أنت|من انت|ما اسمك|هل أنت حقيقي|هل انت حقيقي|هل أنت شخص حقيقي|هل انت شخص حقيقي|هل أتحدث مع إنسان|هل أنت شخص|هل أنت آلة|هل أنت ذكاء اصطناعي|هل انت ذكاء اصطناعي|هل أنت بوت|هل أنت برنامج|انت انسان|أنت إنسان|هل أتحدث مع شخص حقيقي|ماذا يمكنك أن تفعل|ماذا يمكنك ان تفعل',
      reply:
        'أنا المساعد المدمج في هذا الموقع: برنامج صغير، ولست إنسانا ولا نموذجا لغويا. أجيب من وثائق هذا الموقع، وأحسب، وأحوّل الوحدات، وأخبر بالتاريخ والوقت.',
    },
  },
  hi: {
    hello: {
      prompts: 'नमस्ते|नमस्कार|हैलो|हेलो|हाय|सुप्रभात|प्रणाम|शुभ संध्या|राम राम|नमस्ते जी|कैसे हो|आप कैसे हैं|शुभ प्रभात',
      reply: 'नमस्ते, मैं आपकी क्या मदद कर सकता हूँ?',
    },
    thanks: {
      prompts: 'धन्यवाद|शुक्रिया|बहुत धन्यवाद|बहुत बहुत धन्यवाद|बहुत शुक्रिया|आपका धन्यवाद|थैंक यू|थैंक्स|आभार|आपका बहुत धन्यवाद|मदद के लिए धन्यवाद',
      reply: 'आपका स्वागत है। कोई और सवाल हो तो पूछिए।',
    },
    goodbye: { prompts: 'अलविदा|फिर मिलेंगे|शुभ रात्रि|बाय|टाटा|चलता हूँ|फिर मिलते हैं|बाय बाय|विदा', reply: 'अलविदा!' },
    human: {
      prompts:
        'क्या आप इंसान हैं|क्या तुम इंसान हो|क्या आप मनुष्य हैं|क्या आप रोबोट हैं|क्या तुम रोबोट हो|आप कौन हैं|आप कौन हो|तुम कौन हो|आपका नाम क्या है|तुम्हारा नाम क्या है|क्या आप असली हैं|क्या आप बॉट हैं|क्या आप असली इंसान हैं|क्या आप एक इंसान हैं|क्या आप एक रोबोट हैं|क्या मैं इंसान से बात कर रहा हूँ|क्या आप मशीन हैं|क्या आप एआई हैं|क्या तुम बॉट हो|आप क्या कर सकते हैं',
      reply:
        'मैं इस साइट का अंतर्निर्मित सहायक हूँ: एक छोटा प्रोग्राम, न इंसान और न भाषा मॉडल। मैं इस साइट के दस्तावेज़ों से जवाब देता हूँ, हिसाब करता हूँ, इकाइयाँ बदलता हूँ, और तारीख व समय बताता हूँ।',
    },
  },
}
