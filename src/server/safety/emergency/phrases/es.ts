import type { LanguagePhrases } from '../language-phrases.ts'

export const ES: LanguagePhrases = {
  slots: {
    person:
      '(?:(?:mi|mis|nuestro|nuestra|su|el|la|un|una|este|esta) (?:[a-z]+ )?(?:marido|esposo|esposa|mujer|mama|madre|papa|padre|hijo|hija|bebe|nino|nina|hermano|hermana|amigo|amiga|novio|novia|abuelo|abuela|vecino|vecina|companero|companera|pareja|ex|hombre|persona|senor|senora|chico|chica|tio|tia|jefe|primo|prima)|alguien|el|ella)',
    adv: '(?:[a-z]+ ){0,3}?',
  },
  phrases: {
    self_harm: [
      '(?:me |solo |ya |yo )*(?:quiero|quisiera|deseo|prefiero|preferiria|gustaria|ganas de|quiere|queria) (?:[a-z]+ )?(?:morir|morirme|estar muert[oa]|morirse|desaparecer para siempre)(?! de (?:risa|hambre))|(?:ya )?no (?:quiero|puedo|quiere|aguanto) (?:[a-z]+ )?(?:vivir|seguir viviendo|seguir con vida|despertar|despertarme|estar viv[oa]|existir)(?! aqui| en| con)|sin ganas de vivir|no tengo ganas de vivir',
      '(?:me |se |a )?(?:quiero|voy a|quiere|va a|pienso en|pensando en|intento|intentado|intenta|ganas de|me voy a|se quiere|me quiero) (?:[a-z]+ )?(?:matarme|matarse|suicidarme|suicidarse|suicidar|ahorcarme|ahorcarse|matar|cortarme las venas|quitarme la vida|quitarse la vida|hacerme dano|lastimarme)(?! el| la| un| una| a| los| las| tiempo| bichos)|quitarme la vida|(?:me|se) (?:quiero|quiere|voy a|va a) (?:matar|suicidar|ahorcar)|me (?:estoy cortando|corto|hago dano)|suicidarme|matarme',
      '(?:soy|estoy|me siento|esta|muy) suicida|(?:pensamientos|ideas|tendencias) suicidas|(?:pienso|pensando|penso) (?:[a-z]+ )?en (?:el suicidio|suicidarme|la muerte|morir|matarme)|(?:carta|nota) de (?:despedida|suicidio)',
      '(?:acabar|terminar|poner fin) (?:con|a) (?:mi|su) vida|acabar con todo|(?:estarian|estaran|estaria) mejor sin mi|(?:no tengo|ninguna|sin|no hay) (?:razon|razones|motivo|motivos) para vivir|la vida no (?:vale|tiene sentido)|(?:saltar|tirarme|lanzarme|tirar) (?:de|desde|por|del) (?:un |el |la |este |al )?(?:puente|techo|edificio|ventana|balcon|azotea|tren)',
      'cuant[ao]s? [a-z ]{2,40}?(?:para morir|para morirme|para matarme|para suicidarme|para matar a|letal(?:es)?|mortal(?:es)?|para una sobredosis|para morirse)|nudo de (?:horca|ahorcado)|hacer una soga|dosis (?:letal|mortal)|(?:como|formas? de|maneras? de|modo de) (?:[a-z]+ )?(?:morir sin|morir rapido|matarme|suicidarme|suicidarse|ahorcarme|me mato|quitarme)',
    ],
    poisoning: [
      '(?:una|de|tuvo|sufrio) sobredosis(?! en )|(?:me|se|nos|fui|fue|esta|estoy|ha sido) (?:[a-z]+ )?(?:envenene|envenenad[oa]|envenenaron|intoxicad[oa]|intoxico|intoxique|enveneno)',
      '(?:tome|tomo|tomado|trague|trago|tragado|tomaron|comio|comi) {adv}(?:demasiad[ao]s|tod[ao]s|much[ao]s|un frasco|una caja|un bote|[0-9]{2,}|treinta|veinte) ?(?:[a-z]+ ){0,3}?(?:pastillas|medicamentos|pildoras|somniferos|comprimidos|paracetamol|capsulas|analgesicos|drogas|tabletas)',
      '(?:bebi|bebio|bebido|tome|tomo|tomado|trague|trago|tragado|comio|comido|comi|ingirio|inhale|inhalo) (?:[a-z]+ ){0,3}?(?:lejia|cloro|veneno|raticida|matarratas|anticongelante|detergente|pila|pilas|limpiador|desatascador|acido|insecticida|gasolina|producto de limpieza|lavandina|quitaesmalte|setas venenosas|hongos venenosos|destapacanos|desinfectante|aguarras|bateria)',
    ],
    acute_illness: [
      'no (?:esta |estan |puedo |puede |logra |me deja )?(?:respirando|respirar|respira)|(?:sin|no tiene|no le encuentro|no hay) pulso|(?:dejo|deja) de respirar|(?:me|se) (?:estoy|esta) (?:ahogando|asfixiando|atragantando)|(?:me|se) (?:ahogo|ahoga|asfixio|asfixia|atraganto)|me cuesta (?:mucho )?respirar|le cuesta respirar',
      '(?:tengo|tiene|teniendo|dando|da|sufriendo|sufre|acaba de tener|es|le dio|me dio) (?:[a-z]+ )?(?:un |una )?(?:infarto|ataque al corazon|ataque cardiaco|ataque de epilepsia|paro cardiaco|derrame cerebral|derrame|ictus|convulsion|convulsiones|convulsionando|ataque de asma|reaccion alergica|shock anafilactico)|(?:dolor|duele|opresion) (?:[a-z]+ )?(?:en |en el |el |de )?(?:pecho)|(?:necesito|llamen|manden|llamar|necesitamos|envien|pidan) (?:[a-z]+ )?una ambulancia',
      '(?:esta|estoy|quedo|se|me|cayo|encuentra|encontre) (?:[a-z]+ ){0,2}?(?:inconsciente|desmayad[oa]|desmayo|desmaye|convulsionando|desplomo|desangrando|sin conocimiento|ahogando en|electrocuto|muriendo|atropell[oa]d?[oa]?|colapso)|no (?:se )?(?:despierta|reacciona)(?! el| la)|{person} no (?:responde|se mueve)|perdio (?:el conocimiento|la conciencia)|(?:sangra|sangrando|sangro|desangra) (?:[a-z]+ )?(?:mucho|muchisimo|abundantemente|demasiado|sin parar)|no para de sangrar|(?:atropellaron|atropello)(?! mi bici)|(?:me|se) (?:estoy|esta) muriendo(?! de| por)|me muero(?! de| por)|rompi(?:o)? (?:la fuente|aguas)|rompio aguas|se cayo (?:del techo|por las escaleras|de la ventana)',
    ],
    fire: [
      '(?:casa|piso|apartamento|departamento|cocina|edificio|coche|carro|auto|garaje|techo|habitacion|oficina|escuela|hotel|cama|horno|tienda)s? (?:[a-z]+ ){0,2}?(?:en llamas|ardiendo|quemando|incendiando|fuego|incendio|prendio fuego|arde|quema)|(?:hay|veo|se inicio) (?:[a-z]+ )?(?:un )?(?:fuego|incendio|una fuga de gas|fuga de gas)|(?:se quema|se incendia|arde|se esta quemando|se esta incendiando|se incendio) (?:mi|la|el|nuestra|nuestro)(?! vela)|(?:huele|olor) (?:[a-z]+ )?a gas|fuga de gas|incendio en (?:mi|la|el|nuestra)',
    ],
    violence: [
      '{person} (?:[a-z]+ )?(?:me|nos) (?:[a-z]+ )?(?:pega|pego|pegando|golpea|golpeando|golpeo|ataca|atacando|ataco|amenaza|amenazando|amenazo|estrangula|estrangulando|ahorca|sigue|siguiendo|persigue|violo|viola|apunala|matar|agrede|agredio)(?! en)|(?:quiere|va a|quieren|van a|intenta|intento|amenaza con|amenazo con) (?:matarme|matarnos|matarla|matarlo|violarme|pegarme|hacerme dano)|(?:me|nos) (?:quiere|va a|quieren|van a) (?:matar|pegar|violar)(?! mi jefe)|(?:esta|estan) (?:[a-z]+ )?(?:pegando|golpeando|atacando|estrangulando|apunalando|disparando) ?a?|me (?:esta|estan) (?:pegando|golpeando|atacando|siguiendo|amenazando|persiguiendo|agrediendo)',
      '(?:me|nos|fui|he sido|han|la|lo|mi hija fue) (?:[a-z]+ )?(?:violaron|violad[oa]|asaltaron|asaltad[oa]|atacaron|atacad[oa]|apunalaron|apunalad[oa]|secuestraron|secuestrad[oa]|golpearon|golpead[oa]|dispararon|agredieron|agredid[oa]|violo)|(?:alguien|ladron|ladrones|intruso|hombre|desconocido|extrano) (?:[a-z]+ ){0,5}?(?:entrar|entro|entrando|dentro|metio|metido|en|forzando|entraron) (?:a |en |de |la |por )*(?:mi|nuestra|casa|la casa|puerta)|(?:tiene|con|saco|lleva) (?:un cuchillo|una pistola|un arma|una navaja|un machete)',
    ],
  },
}
